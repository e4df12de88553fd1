"""Pages of a run's items, by filters and ids instead of offsets, and the items of one cell of its grid."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ARRAY, ColumnElement, Integer, Select, func, literal, select

from plumbline.results import statements
from plumbline.results.id_pages import id_page
from plumbline.results.tables import association, term
from plumbline.results.terms import known_ids, texts_of

REASONS_READ = 10_000
_LABELS = ("template", "group", "attribute", "reason")
_READ = ("n_tokens", "log_p_target", "log_p_prior", "distance_target", "distance_prior")
_COLUMNS = ("template", "group", "attribute", *_READ, "score", "scorable", "reason")

MOST_OTHERS = 3
"""Other groups in an example. Of two, none is nearer to their mean than the other one."""


@dataclass(frozen=True, slots=True)
class Item:
    """One record with its labels. A score of None has a reason.

    Either the log probabilities or the distances are set, or neither (cosines). Distances may exist without a score.
    """

    id: int
    template: str
    group: str
    attribute: str
    log_p_target: float | None
    log_p_prior: float | None
    score: float | None
    scorable: bool
    reason: str | None
    distance_target: float | None = None
    distance_prior: float | None = None
    n_tokens: int | None = None
    """The subwords of the attribute."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A filter of items: their labels (None for any), the bounds of their score, and whether they are scorable."""

    groups: Sequence[str] | None = None
    attributes: Sequence[str] | None = None
    templates: Sequence[str] | None = None
    reason: str | None = None
    scorable: bool | None = None
    lowest: float | None = None
    highest: float | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """Some items in order of id, and whether there are more before and after them."""

    items: list[Item]
    more_before: bool
    more_after: bool


def page(run: int, wanted: Wanted, rows: int, *, after: int | None = None, before: int | None = None) -> Page:
    """Return the first items after an id or the last before one. Without an id, return the first items."""
    query, place = _query(run, wanted), _place(wanted)
    if before is not None:
        query = query.where(association.c.id < before).order_by(place.desc())
    else:
        query = query.where(association.c.id > (after or 0)).order_by(place)
    found = id_page(lambda limit: statements.rows(query.limit(limit)), rows, after=after, before=before)
    return Page(_labelled(found.rows), found.more_before, found.more_after)


def together(run: int, wanted: Wanted, most: int) -> list[Item] | None:
    """Return all items in order of template, group and attribute, or None if there are more than `most`."""
    found = statements.rows(_query(run, wanted).limit(most + 1))
    if len(found) > most:
        return None
    return sorted(_labelled(found), key=lambda one: (one.template, one.group, one.attribute))


def under(run: int, groups: Sequence[str], attribute: str, most: int) -> list[Item]:
    """Return at most `most` items of these groups with one attribute, by an index."""
    query = _query(run, Wanted(groups=groups, attributes=[attribute]))
    return _labelled(statements.rows(query.order_by(association.c.group, association.c.template).limit(most)))


def typical_items(run: int, group: str, others: Sequence[str], attribute: str, difference: float) -> list[Item]:
    """Return the items of a group and of other groups in the template in which the group differs most typically.

    There the score of the group minus the mean of the others is nearest to `difference`. Of the others, at most
    MOST_OTHERS follow, those nearest to their mean first. No items if no template has scores of both. By an index.
    """
    wanted = Wanted(groups=[group, *others], attributes=[attribute], scorable=True)
    ids = _ids(wanted)
    own, score = association.c.group == ids.get(group), association.c.score
    conditions = (association.c.run == run, *_conditions(wanted, ids))
    means = (func.avg(score).filter(own).label("own"), func.avg(score).filter(~own).label("others"))
    of_each = select(association.c.template, *means).where(*conditions).group_by(association.c.template).subquery()
    apart = of_each.c.own - of_each.c.others
    both = select(of_each).where(apart.is_not(None)).order_by(func.abs(apart - difference), of_each.c.template)
    nearest = both.limit(1).subquery()
    there = select(*_columns()).join(nearest, nearest.c.template == association.c.template).where(*conditions)
    order = (~own, func.abs(score - nearest.c.others), association.c.id)
    return _labelled(statements.rows(there.order_by(*order).limit(1 + MOST_OTHERS)))


def reasons(run: int) -> list[str]:
    """Return the reasons among the first REASONS_READ items without a score, as choices of a filter."""
    own = (association.c.run == run, ~association.c.scorable)
    some = select(association.c.reason).where(*own).limit(REASONS_READ).subquery()
    found = select(term.c.text).where(term.c.id.in_(select(some.c.reason))).order_by(term.c.text)
    return [text for (text,) in statements.rows(found)]


def _place(wanted: Wanted) -> ColumnElement[int]:
    """Return the expression that orders pages: the id.

    Behind a filter that few items pass, it is a sum that no index serves. Otherwise the planner walks the index of ids
    and fetches a million rows one by one (0.4 s). A scan takes 0.1 s.
    """
    ordered = (Wanted(), Wanted(scorable=True), Wanted(scorable=False))
    return association.c.id if wanted in ordered else association.c.id + 0


def _query(run: int, wanted: Wanted) -> Select[Any]:
    return select(*_columns()).where(association.c.run == run, *_conditions(wanted, _ids(wanted)))


def _columns() -> list[ColumnElement[Any]]:
    return [association.c.id, *(association.c[name] for name in _COLUMNS)]


def _wanted_labels(wanted: Wanted) -> list[tuple[str, Sequence[str]]]:
    """Return the labels that are wanted, by column."""
    reasons = None if wanted.reason is None else [wanted.reason]
    every = zip(
        ("group", "attribute", "template", "reason"),
        (wanted.groups, wanted.attributes, wanted.templates, reasons),
        strict=True,
    )
    return [(column, labels) for column, labels in every if labels is not None]


def _ids(wanted: Wanted) -> dict[str, int]:
    """Return the ids of all wanted labels that exist, in one question."""
    labels = [label for _, some in _wanted_labels(wanted) for label in some]
    return known_ids(labels) if labels else {}


def _conditions(wanted: Wanted, ids: dict[str, int]) -> list[ColumnElement[bool]]:
    found: list[ColumnElement[bool]] = []
    for name, labels in _wanted_labels(wanted):
        own = [ids[label] for label in labels if label in ids]
        found.append(association.c[name] == func.any(literal(own, ARRAY(Integer))))
    if wanted.scorable is not None:
        found.append(association.c.scorable if wanted.scorable else ~association.c.scorable)
    if wanted.lowest is not None:
        found.append(association.c.score >= wanted.lowest)
    if wanted.highest is not None:
        found.append(association.c.score <= wanted.highest)
    return found


def _labelled(found: Sequence[tuple[Any, ...]]) -> list[Item]:
    records = [dict(zip(("id", *_COLUMNS), row, strict=True)) for row in found]
    texts = texts_of({record[name] for record in records for name in _LABELS} - {None})
    return [Item(**record | {name: texts.get(record[name]) for name in _LABELS}) for record in records]
