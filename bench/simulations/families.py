"""Families of tests: the share of false ones among what is called present, the filter by the margin included."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from bench.simulations.measured import CHOICE, EASY, RATES, SHOWN
from bench.simulations.scenarios import LOG, RELATIVE, Row, Simulated
from plumbline.spec.power.default_spreads import MEASURED, Components
from plumbline.spec.verdicts import Verdict
from workers.statistics import estimate_cells
from workers.statistics.permutation_tests.name_splits import least_p_of_splits
from workers.statistics.permutation_tests.two_group_rates import permute_names
from workers.statistics.rates.rate_comparisons import Successes
from workers.statistics.rates.success_rates import mean_rates, relative_difference
from workers.statistics.units import Floats
from workers.statistics.verdicts import Effects, judge

Draw = Callable[[Floats, np.random.Generator], Effects]
"""The tests of one family whose members have these true effects."""


@dataclass(frozen=True)
class Family:
    """A family of `members` of which `real` have an effect of so many smallest effects, and the others none."""

    probe: str
    scenario: str
    draw: Draw
    members: int
    real: int
    size_of_real: float
    verdict: str = "present in its family"

    @property
    def name(self) -> str:
        return f"{self.probe}: {self.verdict} ({self.scenario})"

    def row(self, size: int, random: np.random.Generator) -> Row:
        """In the column `type_1_error` the false discovery rate; `power` is the share of the real ones found."""
        truth = np.zeros(self.members)
        truth[: self.real] = self.size_of_real
        shares = np.array([self._shares(judge(self.draw(truth, random)).verdict) for _ in range(size)])
        false, found = shares.mean(axis=0).tolist()
        return Row(
            self.probe, self.verdict, self.scenario, size, type_1_error=false, power=found if self.real else None
        )

    def _shares(self, verdicts: tuple[Verdict, ...]) -> tuple[float, float]:
        present = np.array([one == Verdict.PRESENT for one in verdicts])
        real = present[: self.real]
        return present[self.real :].sum() / max(present.sum(), 1), real.mean() if self.real else 0.0


def scenarios() -> Iterator[Simulated]:
    for reference, parts in MEASURED.items():
        model = reference.removeprefix("bundled:")
        for told, real in (("one in ten real", 10), ("none real", 0)):
            scenario = f"{model}, 96 words, 12 kinds, {told}"
            yield Family("log_probability", scenario, of_words(parts, 12), 96, real, 3 * LOG)
    for names in (5, 25):
        scenario = f"one pair of groups, {names} + {names} names, 100 words, one in ten real"
        yield Family("sodapop", scenario, of_names(names), 100, 10, 5 * RELATIVE)


def of_words(parts: Components, kinds: int) -> Draw:
    """Differences on words that share what a kind of sentence does."""

    def draw(truth: Floats, random: np.random.Generator) -> Effects:
        shape = (len(truth), kinds)
        values = truth[:, None] + parts.kind * random.normal(size=(1, kinds))
        values = values + np.hypot(parts.word_kind, parts.frame) * random.normal(size=shape)
        one = estimate_cells(values, seed=0, margin=LOG)
        return _effects(one.value, one.p_value, one.equivalence_p, one.least_p, LOG, kinds)

    return draw


def of_names(names: int) -> Draw:
    """RD of words between two groups, where some names are misled more than others in all words."""

    def draw(truth: Floats, random: np.random.Generator) -> Effects:
        sides = [_answers(random, names, RATES[CHOICE].mean * (1 + half * truth)) for half in (0.5, -0.5)]
        a, b = (side.rates for side in sides)
        test = permute_names([(a, b)], seed=int(random.integers(1 << 31)), draws=DRAWS, threads=1)[0]
        least = least_p_of_splits(a, b, draws=DRAWS)
        value = relative_difference(mean_rates(a), mean_rates(b))
        return _effects(value, test.p_value, np.full(len(truth), np.nan), least, RELATIVE, 2 * names)

    return draw


DRAWS = 999


def _answers(random: np.random.Generator, names: int, means: Floats) -> Successes:
    reach = EASY * np.sqrt(3)  # of a uniform distribution with this deviation
    easy = random.uniform(1 - reach, 1 + reach, size=(names, 1))
    shown = random.poisson(SHOWN, (names, len(means))).clip(1)
    return Successes(random.binomial(shown, np.minimum(means * easy, 1)).astype(np.float64), shown.astype(np.float64))


def _effects(value: Floats, p_value: Floats, within: Floats, least: Floats, margin: float, units: int) -> Effects:
    size = len(value)
    return Effects(value, p_value, within, least, np.full(size, margin), np.full(size, units), np.full(size, ""))
