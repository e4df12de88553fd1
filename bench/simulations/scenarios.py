"""A scenario of the calibration table: simulated runs of one test and interval, and the row that they give."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Protocol
from zlib import crc32

import numpy as np
import numpy.typing as npt

from plumbline.spec.verdicts import SMALLEST_EFFECTS, Scale, Verdict
from workers.statistics.verdicts import Effects, judge

Floats = npt.NDArray[np.float64]
LOG, CORRELATION, RELATIVE, RATE, STANDARDISED = (SMALLEST_EFFECTS[scale] for scale in Scale)
LEVEL = 0.95
FACTORS = (0.0, 0.5, 1.0, 2.0)
"""True effects, in smallest effects."""


@dataclass(frozen=True)
class Row:
    """One row of the table; None where a figure does not apply."""

    probe: str
    verdict: str
    scenario: str
    simulations: int
    type_1_error: float | None = None
    coverage: float | None = None
    power: float | None = None
    exempt: str = ""
    present_at_0: float | None = None
    present_at_half: float | None = None
    present_at_1: float | None = None
    present_at_2: float | None = None
    absent_at_margin: float | None = None

    @property
    def figures(self) -> dict[str, float]:
        """The figures that apply, by the names of their columns."""
        return {name: value for name, value in asdict(self).items() if isinstance(value, float)}


@dataclass(frozen=True)
class Found:
    """What the product found in each simulation, arrays [simulations]; `truth` is the true value."""

    value: Floats
    low: Floats
    high: Floats
    p_value: Floats
    equivalence_p: Floats
    least_p: Floats
    units: int
    truth: float

    @property
    def coverage(self) -> float:
        """How often an interval holds the truth, of those that are defined; NaN where there is none."""
        known = ~np.isnan(self.low)
        held = (self.low <= self.truth + 1e-12) & (self.truth - 1e-12 <= self.high)
        return float(held[known].mean()) if known.any() else np.nan

    @property
    def rejected(self) -> float:
        """How often p is below 1 - LEVEL, of those that are defined."""
        return float(np.mean(self.p_value[~np.isnan(self.p_value)] < 1 - LEVEL))

    def shares(self, margin: float) -> dict[Verdict, float]:
        """How often each verdict is given, each simulation judged alone."""
        size = len(self.value)
        effects = Effects(
            estimate=self.value,
            p_value=self.p_value,
            equivalence_p=self.equivalence_p,
            least_p=self.least_p,
            smallest_effect=np.full(size, margin),
            n_units=np.full(size, self.units),
            family=np.arange(size).astype(str),
        )
        given = Counter(judge(effects).verdict)
        return {verdict: given[verdict] / size for verdict in Verdict}


def found_of(
    value: npt.ArrayLike,
    low: npt.ArrayLike,
    high: npt.ArrayLike,
    p_value: npt.ArrayLike = np.nan,
    equivalence_p: npt.ArrayLike = np.nan,
    *,
    units: int,
    truth: float,
    least_p: npt.ArrayLike = 0.0,
) -> Found:
    """Arrays, or one number for all simulations."""
    given = (value, low, high, p_value, equivalence_p, least_p)
    arrays = np.broadcast_arrays(*(np.asarray(one, dtype=np.float64) for one in given))
    value, low, high, p_value, equivalence_p, least_p = (np.array(one) for one in arrays)
    return Found(value, low, high, p_value, equivalence_p, least_p, units, truth)


Simulate = Callable[[float, np.random.Generator, int], Found]
"""Runs with a true effect: the effect, random numbers, how many runs."""


class Simulated(Protocol):
    """What gives a row: a `Scenario`, or a `Family`."""

    @property
    def probe(self) -> str: ...
    @property
    def name(self) -> str: ...
    def row(self, size: int, random: np.random.Generator) -> Row: ...


@dataclass(frozen=True)
class Scenario:
    """One statistic at one size."""

    probe: str
    verdict: str
    scenario: str
    simulate: Simulate
    margin: float
    exempt: str = ""
    factors: tuple[float, ...] = FACTORS
    most: int | None = None
    """So many simulations at most, where one costs too much."""

    @property
    def name(self) -> str:
        return f"{self.probe}: {self.verdict} ({self.scenario})"

    def row(self, size: int, random: np.random.Generator) -> Row:
        """The coverage is that of the true effect at which it is farthest from the level of the intervals."""
        size = min(size, self.most or size)
        found = {factor: self.simulate(factor * self.margin, random, size) for factor in self.factors}
        tested = not np.isnan(found[0.0].p_value).all()
        equivalence = tested and 1.0 in found and not np.isnan(found[1.0].equivalence_p).all()
        shares = {factor: one.shares(self.margin) for factor, one in found.items()} if tested else {}
        present = {factor: one[Verdict.PRESENT] for factor, one in shares.items()}
        return Row(
            self.probe,
            self.verdict,
            self.scenario,
            len(found[0.0].value),
            type_1_error=found[0.0].rejected if tested else None,
            coverage=_farthest([one.coverage for one in found.values()]),
            power=present.get(2.0),
            exempt=self.exempt,
            present_at_0=present.get(0.0),
            present_at_half=present.get(0.5),
            present_at_1=present.get(1.0),
            present_at_2=present.get(2.0),
            absent_at_margin=shares[1.0][Verdict.ABSENT] if equivalence else None,
        )


def _farthest(coverages: list[float]) -> float | None:
    known = [one for one in coverages if not np.isnan(one)]
    return max(known, key=lambda one: abs(one - LEVEL)) if known else None


def batches(size: int, batch: int) -> Iterator[int]:
    """The sizes of the batches that make up `size` simulations."""
    for start in range(0, size, batch):
        yield min(batch, size - start)


def joined(parts: list[Found]) -> Found:
    """Batches of simulations of one effect as one."""
    value, low, high, p_value, equivalence_p, least_p = (
        np.concatenate([getattr(part, name) for part in parts])
        for name in ("value", "low", "high", "p_value", "equivalence_p", "least_p")
    )
    return Found(value, low, high, p_value, equivalence_p, least_p, parts[0].units, parts[0].truth)


def random_of(name: str, seed: int) -> np.random.Generator:
    """Random numbers of one scenario, which the scenarios beside it do not disturb."""
    return np.random.default_rng(np.random.SeedSequence([seed, crc32(name.encode())]))
