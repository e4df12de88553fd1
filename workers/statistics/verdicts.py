"""Verdicts from tests: the one place where significance is decided."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from plumbline.spec.verdicts import FEWEST_UNITS, Verdict
from workers.statistics.families import q_values
from workers.statistics.units import Floats


@dataclass(frozen=True)
class Effects:
    """Effects with their tests, arrays [effects]. NaN is undefined, or no margin is declared."""

    estimate: Floats
    p_value: Floats
    equivalence_p: Floats
    least_p: Floats
    """The smallest p that the procedure can return."""
    smallest_effect: Floats
    n_units: npt.NDArray[np.int64]
    family: npt.NDArray[np.str_]


@dataclass(frozen=True)
class Judged:
    """Verdicts and q-values, arrays [effects]; NaN if an effect cannot be tested and so is in no family."""

    q_value: Floats
    equivalence_q: Floats
    reachable_q: Floats
    verdict: tuple[Verdict, ...]


def judge(effects: Effects, alpha: float = 0.05, fewest: int = FEWEST_UNITS) -> Judged:
    """Return a verdict on each effect, by the false discovery rate `alpha` in its family.

    Effects of fewer than `fewest` units or without a p are not testable and in no family. An effect within its margin
    enters the family with p = 1, because removing such effects after the correction would invalidate it. `present`: q <
    alpha. `absent`: the q of the equivalence tests < alpha. `not testable`: also if neither could be reached with
    these units in this family.
    Source: METHODS 1a (ours), on Benjamini and Hochberg 1995 and Schuirmann 1987.
    """
    enough = (effects.n_units >= fewest) & ~np.isnan(effects.p_value)
    within = np.abs(effects.estimate) <= effects.smallest_effect
    q = q_values(_of(enough, np.where(within, 1.0, effects.p_value)), effects.family)
    equivalence_q = q_values(_of(enough, effects.equivalence_p), effects.family)
    reachable_q = q_values(_of(enough, effects.least_p), effects.family)
    # One-sided tests reach half of the smallest two-sided p.
    reachable = (reachable_q < alpha) | (q_values(_of(enough, effects.least_p / 2), effects.family) < alpha)
    verdicts = np.select(
        [q < alpha, equivalence_q < alpha, ~reachable],
        [Verdict.PRESENT, Verdict.ABSENT, Verdict.NOT_TESTABLE],
        Verdict.UNDECIDED,
    )
    return Judged(q, equivalence_q, reachable_q, tuple(map(Verdict, verdicts.tolist())))


def _of(which: npt.NDArray[np.bool_], numbers: Floats) -> Floats:
    return np.where(which, numbers, np.nan)
