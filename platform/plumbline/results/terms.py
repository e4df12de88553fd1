"""Labels and their ids."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import ARRAY, Integer, Select, Text, func, literal, select
from sqlalchemy.dialects.postgresql import insert

from plumbline.results.statements import rows, run
from plumbline.results.tables import term


def ids_of(labels: Iterable[str]) -> dict[str, int]:
    """The id of each label; missing ones are inserted.

    In sorted order, so that two writers of the same labels wait for one another and never for each other.
    """
    wanted = sorted(set(labels))
    known = known_ids(wanted)
    if missing := [label for label in wanted if label not in known]:
        new = select(func.unnest(literal(missing, ARRAY(Text))))
        run(insert(term).from_select(["text"], new).on_conflict_do_nothing())
        known |= known_ids(missing)
    return known


def with_texts(wanted: Any) -> Select[tuple[int]]:
    """A query of the ids of these labels, one or several, as far as they are known."""
    return select(term.c.id).where(term.c.text.in_(listed(wanted)))


def texts_of(numbers: Iterable[int]) -> dict[int, str]:
    """The label of each id."""
    used = literal(sorted(set(numbers)), ARRAY(Integer))
    return dict(rows(select(term.c.id, term.c.text).where(term.c.id == func.any(used))))


def listed(wanted: Any) -> list[Any]:
    """A value alone as a list of one."""
    return list(wanted) if isinstance(wanted, list | tuple | set | frozenset) else [wanted]


def known_ids(labels: Iterable[str]) -> dict[str, int]:
    """The id of each of those labels that are terms at all."""
    query = select(term.c.text, term.c.id).where(term.c.text == func.any(literal(sorted(set(labels)), ARRAY(Text))))
    return dict(rows(query))
