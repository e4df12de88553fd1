"""Pages of records in order of id. A page begins after an id or ends before one, and needs no offset."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class IdPage(Generic[Row]):
    """Some records in order of id, and whether there are more before and after them."""

    rows: list[Row]
    more_before: bool
    more_after: bool


def id_page(
    read: Callable[[int], Sequence[Row]], rows: int, *, after: int | None = None, before: int | None = None
) -> IdPage[Row]:
    """Return at most `rows` records. `read` returns up to a number of records after or before the id, nearest first."""
    found = read(rows + 1)
    some, more = list(found[:rows]), len(found) > rows
    if before is not None:
        return IdPage(some[::-1], more_before=more, more_after=True)
    return IdPage(some, more_before=after is not None, more_after=more)
