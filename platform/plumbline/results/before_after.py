"""Differences between groups in two compared runs: each before and after, with its outcome."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, case, column, func, select, table

from plumbline.results import statements
from plumbline.results.columns import VIEWS
from plumbline.results.tables import SCHEMA

OUTCOMES = ("gone", "weaker", "unchanged", "stronger", "reversed", "new", "changed", "undecided")
"""All outcomes of the view, in the order of the page: the outcomes that a mitigation aims at come first."""
_FIRST = ("new", "stronger", "reversed", "gone", "weaker", "changed", "unchanged", "undecided")
"""The order of rows: differences that a mitigation made worse come first."""
_VIEW = table("v_before_after", *map(column, VIEWS["before_after"]), schema=SCHEMA)


def outcome_counts(run: int, run_before: int) -> dict[str, int]:
    """Return how many differences have each outcome, in the order of OUTCOMES."""
    query = select(_VIEW.c.outcome, func.count()).where(*_of(run, run_before)).group_by(_VIEW.c.outcome)
    found = Counter(dict(statements.rows(query)))
    return {outcome: found[outcome] for outcome in OUTCOMES}


def count(run: int, run_before: int, outcome: str = "", attribute: str = "") -> int:
    """Return how many differences have the outcome and a word that contains `attribute`. Empty means any."""
    query = select(func.count()).select_from(_VIEW).where(*_of(run, run_before), *_wanted(outcome, attribute))
    return int(statements.rows(query)[0][0])


def differences(
    run: int, run_before: int, outcome: str = "", attribute: str = "", *, first: int = 0, rows: int = 50
) -> list[dict[str, Any]]:
    """Return rows of the view from place `first` on, sorted by worse outcomes, then by the size of the change."""
    place = case({outcome: at for at, outcome in enumerate(_FIRST)}, value=_VIEW.c.outcome)
    order = (place, func.abs(_VIEW.c.change).desc(), _VIEW.c.group_a, _VIEW.c.group_b, _VIEW.c.attribute)
    query = select(*_VIEW.c).where(*_of(run, run_before), *_wanted(outcome, attribute)).order_by(*order)
    names = [one.name for one in _VIEW.c]
    return [dict(zip(names, row, strict=True)) for row in statements.rows(query.offset(first).limit(rows))]


def _of(run: int, run_before: int) -> Sequence[ColumnElement[bool]]:
    return (_VIEW.c.run == run, _VIEW.c.run_before == run_before)


def _wanted(outcome: str, attribute: str) -> Sequence[ColumnElement[bool]]:
    wanted = [_VIEW.c.outcome == outcome] if outcome else []
    return [*wanted, _VIEW.c.attribute.icontains(attribute, autoescape=True)] if attribute else wanted
