"""Before and after a mitigation: what happened to a difference, by the rule of the view `v_before_after`."""

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

import plumbline.results
from bench.simulations.measured import CHANGES
from bench.simulations.scenarios import FACTORS, LOG, Row, Simulated
from plumbline.spec.power.default_spreads import MEASURED, Components
from workers.statistics import Estimates, estimate_cells
from workers.statistics.units import Floats
from workers.statistics.verdicts import Effects, judge

KINDS, WORDS, REAL = 12, 32, 3
WORSE_OR_BETTER = ("gone", "weaker", "stronger", "reversed", "new")
"""The outcomes that say that something changed."""
DESIGNS = {"gone": (1, 0), "weaker": (4, 3), "stronger": (2, 3), "reversed": (0.5, -0.5), "new": (0, 1)}
"""The true difference before and after where the change is one smallest effect, in smallest effects."""
AT_THE_MARGIN = (3.0, 1.0)
"""A difference that becomes small and no smaller than what matters: it is not gone."""


def scenarios() -> Iterator[Simulated]:
    for reference in MEASURED:
        model = reference.removeprefix("bundled:")
        for outcome in (*DESIGNS, "unchanged"):
            yield Outcome(outcome, f"{model}, a word in {KINDS} kinds", reference)
    reference = next(iter(MEASURED))
    for told, changed in (("no word changes", 0), ("one in ten words loses its difference", REAL)):
        scenario = f"{reference.removeprefix('bundled:')}, {WORDS} words, {KINDS} kinds, {told}"
        yield Changes(scenario, reference, changed)


@cache
def rule() -> str:
    """Return the expression of the view that gives the outcome, which SQLite reads as PostgreSQL does."""
    view = Path(plumbline.results.__path__[0], "views", "v_before_after.sql").read_text(encoding="utf-8")
    return view[view.index("CASE\n") : view.index(" AS outcome")]


Told = tuple[str, float]
"""A verdict and a value."""


def outcomes(before: Sequence[Told], after: Sequence[Told], change: Sequence[Told]) -> npt.NDArray[np.str_]:
    """Return the outcome of each difference, by the rule of the view."""
    with sqlite3.connect(":memory:") as database:
        for name, rows in (("before", before), ("after", after), ("change", change)):
            database.execute(f'CREATE TABLE "{name}" (place INTEGER PRIMARY KEY, verdict TEXT, value REAL)')
            database.executemany(f'INSERT INTO "{name}" VALUES (?, ?, ?)', [(n, *row) for n, row in enumerate(rows)])  # noqa: S608
        database.execute("ALTER TABLE change ADD statistic TEXT DEFAULT 'difference_in_differences'")
        database.execute("ALTER TABLE change ADD no_effect REAL DEFAULT 0")
        found = database.execute(
            f'SELECT {rule()} FROM "before" JOIN "after" USING (place) JOIN "change" USING (place) ORDER BY place'  # noqa: S608
        )
        return np.array([outcome for (outcome,) in found])


def drawn(
    reference: str, before: Floats, after: Floats, random: np.random.Generator
) -> tuple[Estimates, Estimates, Estimates]:
    """Return the estimates of differences [words] before and after, and of their change.

    Sentences move a difference in both runs alike; what they add to the change is that of a measured mitigation.
    """
    shape = (len(before), KINDS)
    first = before[:, None] + noise(MEASURED[reference], shape, random)
    second = first + (after - before)[:, None] + noise(CHANGES[reference], shape, random)
    runs = (first, second, second - first)
    one, other, change = (estimate_cells(run, seed=0, family=np.arange(len(run)), margin=LOG) for run in runs)
    return one, other, change


def noise(parts: Components, shape: tuple[int, int], random: np.random.Generator) -> Floats:
    """Of words [words, kinds]: kinds differ by all that the components give to one word."""
    return parts.of_one_word(1) * random.normal(size=shape)


def told(one: Estimates, family: npt.NDArray[np.str_]) -> list[Told]:
    """Return verdicts and values of words [words] in their families."""
    size = len(one.value)
    effects = Effects(
        one.value, one.p_value, one.equivalence_p, one.least_p, np.full(size, LOG), np.full(size, KINDS), family
    )
    return list(zip(judge(effects).verdict, one.value.tolist(), strict=True))


@dataclass(frozen=True)
class Outcome:
    """One outcome of words that are each judged alone.

    `present_at_...` is how often it is given where the true change has that size; of "unchanged" only `power`, where
    nothing changes. `absent_at_margin` is how often "gone" is given where a difference as large as the smallest effect
    is left, and "unchanged" where the change is as large.
    """

    verdict: str
    scenario: str
    reference: str
    probe: str = "before and after"

    @property
    def name(self) -> str:
        return f"{self.probe}: {self.verdict} ({self.scenario})"

    def row(self, size: int, random: np.random.Generator) -> Row:
        def given(before: float, after: float) -> float:
            alone = np.arange(size).astype(str)
            runs = drawn(self.reference, np.full(size, LOG * before), np.full(size, LOG * after), random)
            found = outcomes(*(told(one, alone) for one in runs))
            return float((found == self.verdict).mean())

        if self.verdict == "unchanged":
            return self._row(size, power=given(3, 3), absent_at_margin=given(3, 2))
        before, after = DESIGNS[self.verdict]
        middle = {"reversed": 0.0, "gone": 0.0}.get(self.verdict, float(before))
        shares = [given(middle + (before - middle) * f, middle + (after - middle) * f) for f in FACTORS]
        named = dict(zip(("present_at_0", "present_at_half", "present_at_1", "present_at_2"), shares, strict=True))
        left = given(*AT_THE_MARGIN) if self.verdict == "gone" else None
        return self._row(size, **named, power=shares[-1], absent_at_margin=left)

    def _row(self, size: int, **figures: float | None) -> Row:
        return Row(self.probe, self.verdict, self.scenario, size, **figures)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Changes:
    """Families of words, of which some have a difference before and `changed` have none after.

    `type_1_error` is the share of false ones among the words whose outcome says that they changed; `power` is the share
    of the changed ones of which that is said.
    """

    scenario: str
    reference: str
    changed: int
    verdict: str = "any change in its family"
    probe: str = "before and after"

    @property
    def name(self) -> str:
        return f"{self.probe}: {self.verdict} ({self.scenario})"

    def row(self, size: int, random: np.random.Generator) -> Row:
        before = np.tile(np.where(np.arange(WORDS) < REAL, 3 * LOG, 0.0), size)
        after = before.copy()
        changed = np.tile(np.arange(WORDS) < self.changed, size)
        after[changed] = 0.0
        family = np.repeat(np.arange(size), WORDS).astype(str)
        found = outcomes(*(told(one, family) for one in drawn(self.reference, before, after, random)))
        says = np.isin(found, WORSE_OR_BETTER).reshape(size, WORDS)
        right = changed.reshape(size, WORDS)
        false = (says & ~right).sum(axis=1) / np.maximum(says.sum(axis=1), 1)
        power = float(says[right].mean()) if self.changed else None
        return Row(self.probe, self.verdict, self.scenario, size, type_1_error=float(false.mean()), power=power)
