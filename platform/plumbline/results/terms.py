"""Labels (terms) and their ids."""

from collections.abc import Iterable
from typing import Any

from django.db import OperationalError
from psycopg.errors import ProgramLimitExceeded
from sqlalchemy import ARRAY, Integer, Select, Text, func, literal, select
from sqlalchemy.dialects.postgresql import insert

from plumbline.results.statements import rows, run
from plumbline.results.tables import term
from plumbline.spec.errors import InputError, shown


def ids_of(labels: Iterable[str]) -> dict[str, int]:
    """Return the id of each label and insert missing labels.

    They are sorted, so that two writers of the same labels cannot deadlock.
    """
    wanted = sorted(set(labels))
    known = known_ids(wanted)
    if missing := [label for label in wanted if label not in known]:
        _insert(missing)
        known |= known_ids(missing)
    return known


def _insert(labels: list[str]) -> None:
    """Insert labels. Raises InputError for one that is too long for the index, which takes about 2,700 bytes."""
    new = select(func.unnest(literal(labels, ARRAY(Text))))
    try:
        run(insert(term).from_select(["text"], new).on_conflict_do_nothing())
    except OperationalError as error:
        if not isinstance(error.__cause__, ProgramLimitExceeded):
            raise
        longest = shown(max(labels, key=len))
        raise InputError(f"the text {longest} is too long for the database; shorten it to 2,000 characters.") from None


def with_texts(wanted: Any) -> Select[tuple[int]]:
    """Return a query of the ids of one or several labels, as far as these exist."""
    return select(term.c.id).where(term.c.text.in_(listed(wanted)))


def texts_of(numbers: Iterable[int]) -> dict[int, str]:
    """Return the label of each id."""
    used = literal(sorted(set(numbers)), ARRAY(Integer))
    return dict(rows(select(term.c.id, term.c.text).where(term.c.id == func.any(used))))


def listed(wanted: Any) -> list[Any]:
    """Return the values as a list. A single value becomes a list of one."""
    return list(wanted) if isinstance(wanted, list | tuple | set | frozenset) else [wanted]


def known_ids(labels: Iterable[str]) -> dict[str, int]:
    """Return the ids of the labels that exist."""
    query = select(term.c.text, term.c.id).where(term.c.text == func.any(literal(sorted(set(labels)), ARRAY(Text))))
    return dict(rows(query))
