"""Launching: a spec becomes a run with its phases, or an error, and nothing in between."""

from django.contrib.auth.models import User
from django.db import transaction

from plumbline.audits.freezing import freeze
from plumbline.audits.models import ModelUnderAudit, Phase, Plan, Run, Snapshot
from plumbline.audits.states import RunState, WorkState
from plumbline.spec.audit import AuditSpec
from plumbline.spec.registry import PROBES


@transaction.atomic
def launch(
    spec: AuditSpec,
    *,
    owner: str = "",
    plan: Plan | None = None,
    by: User | None = None,
    reuse: bool = True,
) -> Run:
    """Freeze the spec and create the run. `owner` names the process of an inline run. Raises InputError."""
    frozen, snapshots = freeze(spec)
    Snapshot.objects.bulk_create(
        [Snapshot(sha256=sha256, content=content) for sha256, content in snapshots.items()], ignore_conflicts=True
    )
    ModelUnderAudit.objects.get_or_create(reference=frozen.model)
    run = Run.objects.create(
        name=frozen.name,
        probe=frozen.probe,
        model=frozen.model,
        plan=plan,
        spec=frozen.dump(),
        state=RunState.PLANNING,
        owner=owner,
        reuse=reuse,
        created_by=by,
    )
    run.snapshots.set(Snapshot.objects.filter(pk__in=snapshots))
    Phase.objects.bulk_create(_phases(run))
    return run


def _phases(run: Run) -> list[Phase]:
    names = ["planning", *PROBES[run.probe].card.phases, "summary"]
    return [
        Phase(
            run=run,
            position=position,
            name=name,
            sharded=name not in ("planning", "summary"),
            state=WorkState.WAITING if position else WorkState.READY,
        )
        for position, name in enumerate(names)
    ]
