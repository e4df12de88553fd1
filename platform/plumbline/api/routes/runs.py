"""Runs, their measures and their items."""

from collections.abc import Iterable
from typing import Annotated, Any, Literal

from django.db.models import QuerySet
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from ninja import Path, Query, Router, Schema
from pydantic import Field

from plumbline.api import schemas
from plumbline.api.bearer import Bearer
from plumbline.api.paging import Number, Page, Paged, Text, newest_first, page
from plumbline.api.scopes import Scope
from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.results import models as results
from plumbline.results.record_pages import record_page
from plumbline.results.summary import UNDER_OTHER_PRIOR
from plumbline.results.tables import RECORD_TABLES
from plumbline.spec.errors import InputError
from plumbline.spec.registry import card_of

router = Router(tags=["runs"], auth=Bearer(Scope.READ))
TABLES: Any = {"enum": list(RECORD_TABLES)}
RunNumber = Annotated[Number, Path(description="The number of the run")]


class RunFilter(Schema):
    state: RunState | None = None
    probe: Text | None = Field(None, description="The method, such as ilps")
    model: Text | None = Field(None, description="The reference as launched")
    plan_id: Number | None = Field(None, alias="plan")


class MeasureFilter(Schema):
    statistic: Text | None = None
    verdict: Literal["present", "absent", "undecided", "not testable", ""] | None = None
    group_a: Text | None = None
    group_b: Text | None = None
    attribute: Text | None = None
    other_priors: bool | None = Field(None, description="Those under other priors than the spec's instead")


class ItemFilter(Schema):
    table: Text | None = Field(
        None, description="One of the run's `tables`; without it, the first", json_schema_extra=TABLES
    )
    template: Text | None = None
    group: Text | None = None
    attribute: Text | None = None
    name: Text | None = None
    context: Text | None = None
    word: Text | None = None
    bank: Text | None = None
    item: Text | None = None
    category: Text | None = None
    condition: Text | None = None
    scorable: bool | None = None


def _given(filters: Schema) -> dict[str, Any]:
    return filters.dict(exclude_none=True)


def _runs() -> QuerySet[Run]:
    return Run.objects.top_level().defer("traceback")


@router.get("/runs", response=Page[schemas.Run], summary="List runs, the newest first")
def list_runs(request: HttpRequest, paging: Paged, filters: Query[RunFilter]) -> Any:
    return newest_first("runs", paging, _runs().filter(**_given(filters)).defer("traceback", "spec", "provenance"))


@router.get("/runs/{run}", response=schemas.RunDetail, summary="Get a run with its frozen spec and its provenance")
def get_run(request: HttpRequest, run: RunNumber) -> Any:
    found = get_object_or_404(_runs(), pk=run)
    card = card_of(found.probe)
    vars(found)["tables"] = list(card.tables) if card else []
    return found


@router.get("/runs/{run}/measures", response=Page[schemas.Measure], summary="List the measures of a run")
def list_measures(
    request: HttpRequest,
    run: RunNumber,
    paging: Paged,
    filters: Query[MeasureFilter],
) -> Any:
    """Send the measures as the view v_measure has them. A new summary of the run replaces all of them."""
    get_object_or_404(_runs(), pk=run)
    where = _given(filters)
    prior = UNDER_OTHER_PRIOR if where.pop("other_priors", False) else ~UNDER_OTHER_PRIOR
    own = results.Measure.objects.filter(prior, run=run, **where)

    def read(last: int | None, most: int) -> Iterable[Any]:
        return (own if last is None else own.filter(pk__gt=last)).order_by("pk")[:most]

    return page(f"measures of {run}", paging, read, lambda row: int(row.pk))


@router.get("/runs/{run}/items", response=Page[schemas.Item], summary="List the items of a run, as asked and answered")
def list_items(
    request: HttpRequest,
    run: RunNumber,
    paging: Paged,
    filters: Query[ItemFilter],
) -> Any:
    """Send the rows of a table of records, in the order of their ids, with the columns of its view."""
    found = get_object_or_404(_runs(), pk=run)
    where = _given(filters)
    chosen = _table(found, where.pop("table", None))

    def read(last: int | None, most: int) -> Iterable[Any]:
        return record_page(run, chosen, where, most, after=last)

    return page(f"{chosen} of {run}", paging, read, lambda row: int(row["id"]))


def _table(run: Run, table: str | None) -> str:
    """Return the table, or the first of the run's method. Raises InputError if the method is not known."""
    card = card_of(run.probe)
    if table is None and card is None:
        raise InputError(f"this release does not know the method {run.probe!r}; name a table.")
    return table or next((one for one in card.tables if one in RECORD_TABLES), "association")  # type: ignore[union-attr]
