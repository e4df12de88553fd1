"""Differences between groups in two compared runs: each before and after, with its outcome."""

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, case, column, func, select, table

from plumbline.results import statements
from plumbline.results.columns import VIEWS
from plumbline.results.tables import SCHEMA
from plumbline.spec.verdicts import Verdict

OUTCOMES = ("gone", "weaker", "unchanged", "stronger", "reversed", "new", "changed", "undecided")
"""All outcomes of the view, in the order of the page: the outcomes that a mitigation aims at come first."""
_FIRST = ("new", "stronger", "reversed", "gone", "weaker", "changed", "unchanged", "undecided")
"""The order of rows: differences that a mitigation made worse come first."""
_VIEW = table("v_before_after", *map(column, VIEWS["before_after"]), schema=SCHEMA)


class Direction(StrEnum):
    """How a difference between groups in a run compares with the one in another run, by size and by sign."""

    STRONGER = "stronger"
    WEAKER = "weaker"
    OPPOSITE = "opposite"
    ALIKE = "alike"
    UNDECIDED = "undecided"


def directions(run: int, run_before: int) -> Counter[Direction]:
    """Return how many differences on single words have each direction.

    The first three need a significant change, and compare the figures of the two runs. Exchanging the runs exchanges
    stronger and weaker, and nothing else.
    """
    of, before, change = _VIEW.c, _VIEW.c.value_before, _VIEW.c.change_verdict
    agrees = (of.value - before) * of.change > 0
    direction = case(
        (and_(change == Verdict.PRESENT, agrees, before * of.value < 0), Direction.OPPOSITE),
        (and_(change == Verdict.PRESENT, agrees, func.abs(of.value) > func.abs(before)), Direction.STRONGER),
        (and_(change == Verdict.PRESENT, agrees), Direction.WEAKER),
        (change == Verdict.ABSENT, Direction.ALIKE),
        else_=Direction.UNDECIDED,
    )
    wanted = (*_of(run, run_before), of.attribute != "", of.group_b != "")
    found = statements.rows(select(direction, func.count()).where(*wanted).group_by(direction))
    return Counter({Direction(one): number for one, number in found})


def outcome_counts(run: int, run_before: int, statistic: str = "") -> dict[str, int]:
    """Return how many differences have each outcome, in the order of OUTCOMES. Empty means of any statistic."""
    wanted = (*_of(run, run_before), *_wanted("", "", statistic))
    query = select(_VIEW.c.outcome, func.count()).where(*wanted).group_by(_VIEW.c.outcome)
    found = Counter(dict(statements.rows(query)))
    return {outcome: found[outcome] for outcome in OUTCOMES}


def undecided_though_significant(run: int, run_before: int, statistic: str = "") -> int:
    """Return how many differences changed significantly and are still undecided. Empty means of any statistic.

    Such a difference passes zero and is not shown to differ from it afterwards, or the figures of the runs moved the
    other way, since each is over all that its run asked.
    """
    wanted = (*_of(run, run_before), *_wanted("undecided", "", statistic), _VIEW.c.change_verdict == Verdict.PRESENT)
    return int(statements.rows(select(func.count()).select_from(_VIEW).where(*wanted))[0][0])


def count(run: int, run_before: int, outcome: str = "", attribute: str = "", statistic: str = "") -> int:
    """Return how many differences have the outcome and a word that contains `attribute`. Empty means any."""
    wanted = _wanted(outcome, attribute, statistic)
    query = select(func.count()).select_from(_VIEW).where(*_of(run, run_before), *wanted)
    return int(statements.rows(query)[0][0])


def differences(
    run: int,
    run_before: int,
    outcome: str = "",
    attribute: str = "",
    statistic: str = "",
    *,
    first: int = 0,
    rows: int = 50,
) -> list[dict[str, Any]]:
    """Return rows of the view from place `first` on, sorted by worse outcomes, then by the size of the change."""
    place = case({outcome: at for at, outcome in enumerate(_FIRST)}, value=_VIEW.c.outcome)
    order = (place, func.abs(_VIEW.c.change).desc(), _VIEW.c.group_a, _VIEW.c.group_b, _VIEW.c.attribute)
    query = select(*_VIEW.c).where(*_of(run, run_before), *_wanted(outcome, attribute, statistic)).order_by(*order)
    return _rows(query.offset(first).limit(rows))


def of_statistic(run: int, run_before: int, statistic: str, attributes: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Return the rows of one statistic, of these words where some are given."""
    wanted = [_VIEW.c.statistic == statistic, *([_VIEW.c.attribute.in_(attributes)] if attributes else [])]
    return _rows(select(*_VIEW.c).where(*_of(run, run_before), *wanted))


def has_figures_of_lists(run: int, run_before: int) -> bool:
    """Return whether a figure over a whole list was compared."""
    query = select(func.count()).select_from(_VIEW).where(*_of(run, run_before), _VIEW.c.attribute == "")
    return bool(statements.rows(query)[0][0])


def _rows(query: Select[Any]) -> list[dict[str, Any]]:
    names = [one.name for one in _VIEW.c]
    return [dict(zip(names, row, strict=True)) for row in statements.rows(query)]


def _of(run: int, run_before: int) -> Sequence[ColumnElement[bool]]:
    return (_VIEW.c.run == run, _VIEW.c.run_before == run_before)


def _wanted(outcome: str, attribute: str, statistic: str) -> Sequence[ColumnElement[bool]]:
    exact = {_VIEW.c.outcome: outcome, _VIEW.c.statistic: statistic}
    wanted = [column == value for column, value in exact.items() if value]
    return [*wanted, _VIEW.c.attribute.icontains(attribute, autoescape=True)] if attribute else wanted
