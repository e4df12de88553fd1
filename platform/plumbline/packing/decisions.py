"""What a run is and what people decided about it, as plain data of a pack."""

from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db.models import Model

from plumbline.audits.models import Run
from plumbline.findings.models import IDENTITY, Comment, Finding, Observation, SignOff, Vote
from plumbline.findings.models.observations import COPIED

_OBSERVED = ("outcome", "sentence", *COPIED, "withheld", "compared_with")
_CHANGE = ("change_outcome", "change", "change_low", "change_high", "change_q")
_OF_RUN = ("name", "probe", "model", "state", "planned_items", "created_at", "started_at", "finished_at")
_OF_SIGN_OFF = ("series", "probe", "model", "release", "signed_at", "decision", "note", "conditions", "findings")


def about_run(run: Run) -> dict[str, Any]:
    """Return the run with its frozen spec and its provenance."""
    return {
        "run": run.pk,
        **_fields(run, _OF_RUN),
        "plan": run.plan.name if run.plan else "",
        "launched_by": _account(run.created_by),
        "spec": run.spec,
        "provenance": run.provenance,
    }


def findings_of(run: Run) -> list[dict[str, Any]]:
    """Return the findings of a run with its evidence, their state, comments and votes."""
    observed = Observation.objects.filter(run_number=run.pk).select_related("finding__assignee")
    found = observed.prefetch_related("finding__comments", "finding__votes").order_by("finding")
    return [_finding(one.finding, one) for one in found]


def sign_offs_of(run: Run) -> list[dict[str, Any]]:
    """Return the sign-offs that rest or rested on a run, the first one first."""
    found = SignOff.objects.filter(signed_runs__run=run).prefetch_related("signed_runs").order_by("pk")
    return [_sign_off(one) for one in found]


def _finding(one: Finding, observed: Observation) -> dict[str, Any]:
    return {
        "finding": one.pk,
        "identity": _fields(one, IDENTITY),
        "observed": _fields(observed, (*_OBSERVED, *_CHANGE)),
        **_fields(one, ("state", "reason", "judged_at", "judged_run", "due_on")),
        "judged_by": one.judged_name,
        "pinned_by": one.pinned_name,
        "assignee": _account(one.assignee),
        "comments": [_comment(comment) for comment in one.comments.all()],
        "decisions": [_vote(vote) for vote in one.votes.all()],
    }


def _comment(one: Comment) -> dict[str, Any]:
    return {"author": one.author_name, **_fields(one, ("text", "created_at"))}


def _vote(one: Vote) -> dict[str, Any]:
    return {"person": one.person_name, **_fields(one, ("state", "modified_at"))}


def _sign_off(one: SignOff) -> dict[str, Any]:
    return {
        "of": "release" if one.is_of_release else "run",
        "runs": [signed.run_id for signed in one.signed_runs.all()],
        **_fields(one, _OF_SIGN_OFF),
        "signed_by": one.signed_name,
        "withdrawn_by": one.withdrawn_name,
        **_fields(one, ("withdrawn_at", "withdrawn_reason")),
    }


def _fields(row: Model, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: _plain(getattr(row, name)) for name in names}


def _plain(value: Any) -> Any:
    return value.isoformat() if hasattr(value, "isoformat") else value


def _account(user: AbstractBaseUser | None) -> str:
    return user.get_username() if user else ""
