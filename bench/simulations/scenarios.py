"""A scenario of the calibration table: simulated runs of one test and interval, and the row that they give."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Protocol
from zlib import crc32

import numpy as np

from bench.simulations.outcomes import LEVEL, Found
from plumbline.spec.verdicts import SMALLEST_EFFECTS, Scale, Verdict

LOG, CORRELATION, RELATIVE, RATE, STANDARDISED, COST = (SMALLEST_EFFECTS[scale] for scale in Scale)
FACTORS = (0.0, 0.5, 1.0, 2.0)
"""True effects, in smallest effects."""


@dataclass(frozen=True)
class Row:
    """One row of the table; None if a figure does not apply."""

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

    @property
    def name(self) -> str:
        return f"{self.probe}: {self.verdict} ({self.scenario})"

    def row(self, size: int, random: np.random.Generator) -> Row:
        """The coverage is that of the true effect at which it is farthest from the level of the intervals."""
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


def random_of(name: str, seed: int) -> np.random.Generator:
    """Random numbers of one scenario, independent of other scenarios."""
    return np.random.default_rng(np.random.SeedSequence([seed, crc32(name.encode())]))
