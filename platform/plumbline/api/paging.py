"""Pages of rows: at most `limit` of them, and the cursor of the next page."""

from collections.abc import Callable, Iterable
from typing import Annotated, Any, Generic, TypeVar

from django.db.models import QuerySet
from ninja import Query, Schema
from pydantic import Field, StringConstraints

from plumbline.api.cursors import decode, encode

Row = TypeVar("Row")
MOST = 500
Text = Annotated[str, StringConstraints(max_length=500)]
Number = Annotated[int, Field(ge=1, le=2**31 - 1)]
"""The number of a run, a plan and so on."""


class Paging(Schema):
    limit: int = Field(100, ge=1, le=MOST, description="The most rows of the page")
    cursor: str = Field("", max_length=200, description="`next` of the page before; empty: the first page")


Paged = Query[Paging]


class Page(Schema, Generic[Row]):
    items: list[Row]
    next: str | None = Field(description="The cursor of the next page; null: this is the last one")


def page(
    collection: str, paging: Paging, read: Callable[[int | None, int], Iterable[Any]], key: Callable[[Any], int]
) -> dict[str, Any]:
    """Return a page. `read` returns up to a number of rows after the row with a key, or the first ones for None."""
    rows = list(read(decode(collection, paging.cursor), paging.limit + 1))
    more, rows = len(rows) > paging.limit, rows[: paging.limit]
    return {"items": rows, "next": encode(collection, key(rows[-1])) if more else None}


def newest_first(collection: str, paging: Paging, rows: QuerySet[Any]) -> dict[str, Any]:
    """Return a page of a query set by descending primary key."""

    def read(last: int | None, most: int) -> Iterable[Any]:
        return (rows if last is None else rows.filter(pk__lt=last)).order_by("-pk")[:most]

    return page(collection, paging, read, lambda row: int(row.pk))
