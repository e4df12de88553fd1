"""The sensitivity of a plan before its launch: the effects that it can detect and the tests that cannot succeed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from math import ceil, floor, isinf, isnan
from typing import Any

from plumbline.audits.freezing import freeze, frozen_spec
from plumbline.audits.models import Run
from plumbline.results.earlier_spreads import Spread, earlier_runs, earlier_spread
from plumbline.spec.audit import AuditSpec
from plumbline.spec.errors import InputError
from plumbline.spec.likelihood import is_log_ratio, times_as_likely
from plumbline.spec.numbers import counted, probability, several
from plumbline.spec.power.detectable_effects import POWER, REAL
from plumbline.spec.power.tests import PlannedTest
from plumbline.spec.sources import entries_of

IN_CASES = f"{10 * POWER:g} of 10 cases"
ASSUMED = "This assumes that 5% of the tests of a family are real effects. With fewer, only larger effects are found."
MOST_OF_A_FACTOR = 10
"""The largest difference of logarithms that is shown as a factor too. Nobody can picture a larger factor."""
ASKED = ("groups", "templates")
"""What runs should have in common if one tells the spread of the other's scores."""
INSENSITIVE = 5
"""From this multiple of the smallest effect that matters on, a plan misses most effects that matter, and says so."""
DEFAULT = "default spread"
WHY_DEFAULT = (
    "A default spread stands where no finished run of this method on this model has such a test: it may be far off."
)


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence. `warns` marks what the plan cannot show."""

    sentence: str
    warns: bool = False


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """The sentences about a plan, and whether none of its tests can become significant."""

    statements: tuple[Statement, ...]
    nothing_possible: bool = False

    @property
    def warnings(self) -> list[str]:
        """The sentences on what the plan cannot show."""
        return [one.sentence for one in self.statements if one.warns]


def sensitivity(spec: AuditSpec) -> Sensitivity:
    """Return the sensitivity of an audit with today's words. Methods without planned tests have none.

    Raises InputError like a launch.
    """
    return sensitivity_of(*freeze(spec))


def sensitivity_of(
    frozen: AuditSpec, snapshots: Mapping[str, Mapping[str, Any]], own: Run | None = None
) -> Sensitivity:
    """Return the sensitivity of a frozen spec with the words of its snapshots.

    Of a finished run, `own`, the spread of its own scores counts first: later runs then change nothing.
    """
    tests = frozen.planned_tests(snapshots)
    if not tests:
        return Sensitivity(())
    asked = {key: value for key, value in frozen.dump().items() if key in ASKED}
    runs = [*([own] if own else []), *earlier_runs(frozen.probe, frozen.model, asked)]
    find = partial(earlier_spread, runs, variant=frozen.variant)
    others = {run.pk: run for run in runs if any(run.spec.get(part) != value for part, value in asked.items())}
    asks_others = cache(lambda run: run in others and _entries_of(others[run]) != _entries(frozen, snapshots))
    found_for = [(test, None if test.is_known else find(test.statistic, test.labels)) for test in tests]
    earlier = [(test, one and replace(one, of_others=asks_others(one.run))) for test, one in found_for]
    found = [statement for one in earlier for statement in _of_test(frozen.probe, *one)]
    statements = list(dict.fromkeys(found))
    if any(DEFAULT in one.sentence for one in statements):
        statements.append(Statement(WHY_DEFAULT))
    if any(not test.needs_many and test.members > 1 for test in tests if test.is_possible):
        statements.append(Statement(ASSUMED))
    return Sensitivity(tuple(statements), nothing_possible=not any(test.is_possible for test in tests))


def _entries(spec: AuditSpec, snapshots: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any] | str]:
    """Return the groups and templates that a spec asks. What else their lists hold does not matter."""
    sources = spec.sources()
    return [entry for part in ASKED for source in sources.get(part, ()) for entry in entries_of(source, snapshots)]


def _entries_of(run: Run) -> list[dict[str, Any] | str] | None:
    """Return the same of a run; None for an old spec that is no longer valid."""
    try:
        return _entries(*frozen_spec(run, ASKED))
    except InputError:
        return None


def _of_test(probe: str, test: PlannedTest, earlier: Spread | None) -> Iterator[Statement]:
    yield from (Statement(one, warns=True) for one in test.warnings)
    yield from _possibilities(probe, test, earlier)
    yield from map(Statement, test.needs)


def _possibilities(probe: str, test: PlannedTest, earlier: Spread | None) -> Iterator[Statement]:
    if test.n_units < test.fewest:
        if not test.warnings:
            yield Statement(_too_few(test), warns=True)
        return
    if not test.is_possible:
        yield Statement(_impossible(test), warns=True)
        return
    spread = earlier.value if earlier else test.spread
    if not isnan(spread):
        effect = test.detectable(spread)
        yield _detectable(probe, test, effect, _source(test, earlier))
        yield from _insensitive(test, effect)
    if test.unanimous and test.members > 1:
        yield Statement(_unanimous(test), warns=test.needed > max(1, test.members * REAL))
    yield from map(Statement, test.notes)


def _too_few(test: PlannedTest) -> str:
    of = "sentences in general" if test.unit == "kind of sentence" else f"other {several(test.unit)}"
    return (
        f"This plan has {counted(test.n_units, test.unit)}. Below {counted(test.fewest, test.unit)} no statement"
        f" about {of} can be tested."
    )


def _impossible(test: PlannedTest) -> str:
    return (
        f"With {_given(test)}, no {test.member} can become significant: the smallest possible p-value is"
        f" {probability(test.least_p)}."
    )


def _detectable(probe: str, test: PlannedTest, effect: float, source: str) -> Statement:
    if isinf(effect):
        largest = test.effect.format(f"{test.largest:g}")
        sentence = f"With {_given(test)}, this plan finds even {largest} in fewer than {IN_CASES}{source}."
        return Statement(sentence, warns=True)
    rounded = _rounded_up(effect)
    size = f"{_figure(rounded)}{_factor(probe, test, rounded)}"
    finds = f"With {_given(test)}, this plan finds {test.effect.format(size)} in {IN_CASES}"
    if test.needs_many:
        return Statement(f"{finds} only if at least {_many(test)} are as large{source}.")
    return Statement(f"{finds}{source}. It finds a smaller one less often.")


def _insensitive(test: PlannedTest, effect: float) -> Iterator[Statement]:
    """A warning if the plan finds only effects that are many times the smallest one that matters."""
    if isinf(effect) or isnan(test.margin) or effect < INSENSITIVE * test.margin:
        return
    size = _rounded_up(effect)
    begin = "If 5% of its tests are real effects, the" if test.members > 1 and not test.needs_many else "The"
    yield Statement(
        f"{begin} smallest effect that this plan mostly finds is {test.effect.format(_figure(size))}. That is about"
        f" {size / test.margin:.0f} times {test.margin:g}, the smallest effect that matters here. It finds"
        f" effects in between in fewer than {IN_CASES}. With more {several(test.unit)} it finds smaller ones.",
        warns=True,
    )


def _many(test: PlannedTest) -> str:
    """Return how many tests of the family must be real, so that enough of them are found."""
    share = min(1.0, test.needed / POWER / test.members)
    if test.members_are_assumed:
        return f"{ceil(100 * share)}% of the {several(test.member)}"
    return f"{ceil(share * test.members):,} of {counted(test.members, test.member)}"


def _factor(probe: str, test: PlannedTest, effect: float) -> str:
    if effect > MOST_OF_A_FACTOR or not is_log_ratio(probe, test.statistic):
        return ""
    return f" (about {times_as_likely(effect)} times as likely)"


def _source(test: PlannedTest, earlier: Spread | None) -> str:
    if test.is_known:
        return ""
    if not earlier:
        return f" ({DEFAULT})"
    guess = ", which asked other groups or sentences: a rough guess" if earlier.of_others else ""
    return f" (spread as in run {earlier.run}{guess})"


def _unanimous(test: PlannedTest) -> str:
    members = several(test.member) if test.members_are_assumed else counted(test.members, test.member)
    if test.needed == 1:
        return f"A single one of {members} can become significant, if {test.unanimous}."
    least = f"{floor(100 * test.least_p / test.alpha)}% of the" if test.members_are_assumed else f"{test.needed:,} of"
    return (
        f"The clearest possible result is that {test.unanimous}. One {test.member} alone cannot be significant by it:"
        f" at least {least} {members} must be as clear. With more {several(test.unit)}, fewer are enough."
    )


def _given(test: PlannedTest) -> str:
    return test.given or counted(test.n_units, test.unit)


def _rounded_up(effect: float) -> float:
    """Return an effect with two significant digits, so that no smaller effect is promised."""
    scale: float = 10 ** _digits(effect)
    return ceil(effect * scale) / scale


def _figure(rounded: float) -> str:
    return f"{rounded:.{_digits(rounded)}f}"


def _digits(effect: float) -> int:
    return 1 if effect >= 1 else 2 if effect >= 0.1 else 3
