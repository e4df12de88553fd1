"""Findings, with what people decided about them."""

from typing import Annotated, Any

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from ninja import Path, Query, Router, Schema

from plumbline.api import schemas
from plumbline.api.bearer import Bearer
from plumbline.api.paging import Number, Page, Paged, Text, newest_first
from plumbline.api.scopes import Scope
from plumbline.findings.models import Finding, Observation, Outcome, State

router = Router(tags=["findings"], auth=Bearer(Scope.READ))


class FindingFilter(Schema):
    state: State | None = None
    outcome: Outcome | None = None
    model: Text | None = None
    probe: Text | None = None
    run: Number | None = None


@router.get("/findings", response=Page[schemas.Finding], summary="List findings, the newest first")
def list_findings(request: HttpRequest, paging: Paged, filters: Query[FindingFilter]) -> Any:
    given = filters.dict(exclude_none=True)
    renamed = {"outcome": "latest__outcome"}
    found = Finding.objects.filter(**{renamed.get(key, key): given[key] for key in given if key != "run"})
    if "run" in given:
        found = found.filter(pk__in=Observation.objects.filter(run_number=given["run"]).values("finding"))
    return newest_first("findings", paging, found.select_related("latest"))


@router.get("/findings/{finding}", response=schemas.FindingDetail, summary="Get a finding with all its runs")
def get_finding(request: HttpRequest, finding: Annotated[Number, Path()]) -> Any:
    return get_object_or_404(Finding.objects.select_related("latest").prefetch_related("observations"), pk=finding)
