"""Models under audit and plans, and the launch of a plan."""

from typing import Annotated, Any

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from ninja import Header, Path, Router, Status
from pydantic import StringConstraints

from plumbline.api import schemas
from plumbline.api.bearer import Bearer, admitted
from plumbline.api.launches import launch_once
from plumbline.api.paging import Number, Page, Paged, Text, newest_first
from plumbline.api.scopes import Scope
from plumbline.audits.models import ModelUnderAudit, Plan
from plumbline.spec.several_models import model_names

router = Router(tags=["plans"], auth=Bearer(Scope.READ))
PlanNumber = Annotated[Number, Path(description="The number of the plan")]
Key = Annotated[str, StringConstraints(pattern=r"^[\x21-\x7e]{1,100}$")]


@router.get("/models", response=Page[schemas.Model], summary="List models under audit, the newest first")
def list_models(request: HttpRequest, paging: Paged, reference: Text | None = None) -> Any:
    models = ModelUnderAudit.objects.all()
    return newest_first("models", paging, models if reference is None else models.filter(reference=reference))


@router.get("/plans", response=Page[schemas.Plan], summary="List plans, the newest first")
def list_plans(request: HttpRequest, paging: Paged) -> Any:
    found = newest_first("plans", paging, Plan.objects.all())
    return {**found, "items": [_named(plan) for plan in found["items"]]}


@router.get("/plans/{plan}", response=schemas.PlanDetail, summary="Get a plan with its spec")
def get_plan(request: HttpRequest, plan: PlanNumber) -> Any:
    return _named(get_object_or_404(Plan, pk=plan))


@router.post(
    "/plans/{plan}/launches",
    response={200: schemas.Launched, 201: schemas.Launched},
    auth=Bearer(Scope.LAUNCH),
    summary="Launch a plan with today's words, a run for each of its models",
)
def launch_plan(
    request: HttpRequest,
    plan: PlanNumber,
    body: schemas.LaunchBody,
    idempotency_key: Annotated[
        Key, Header(alias="Idempotency-Key", description="Of your choice. With the same key, a plan launches once.")
    ],
) -> Any:
    """Launch as the desk does, for the person of the token. A repeated request returns the runs of the first one."""
    found = get_object_or_404(Plan, pk=plan)
    runs, repeated = launch_once(admitted(request), found, idempotency_key, accept_warnings=body.accept_warnings)
    return Status(200 if repeated else 201, {"runs": runs, "repeated": repeated})


def _named(plan: Plan) -> Plan:
    vars(plan)["models"] = list(model_names(plan.spec))
    return plan
