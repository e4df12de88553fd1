"""Labels and their ids."""

from collections.abc import Iterable

from sqlalchemy import ARRAY, Text, func, literal, select
from sqlalchemy.dialects.postgresql import insert

from plumbline.results.statements import rows, run
from plumbline.results.tables import term


def ids_of(labels: Iterable[str]) -> dict[str, int]:
    """The id of each label; missing ones are inserted.

    In sorted order, so that two writers of the same labels wait for one another and never for each other.
    """
    wanted = sorted(set(labels))
    known = _known(wanted)
    if missing := [label for label in wanted if label not in known]:
        new = select(func.unnest(literal(missing, ARRAY(Text))))
        run(insert(term).from_select(["text"], new).on_conflict_do_nothing())
        known |= _known(missing)
    return known


def _known(labels: list[str]) -> dict[str, int]:
    query = select(term.c.text, term.c.id).where(term.c.text == func.any(literal(labels, ARRAY(Text))))
    return dict(rows(query))
