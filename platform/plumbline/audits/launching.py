"""Launching: a spec becomes a run with all its phases, or an error without traces."""

from collections.abc import Iterable

from django.contrib.auth.models import User
from django.db import transaction

from plumbline.audits import spending, variants, worker_messages
from plumbline.audits.freezing import freeze
from plumbline.audits.model_kinds import kind_of
from plumbline.audits.models import PLANNING, ModelUnderAudit, Phase, Plan, Run, Snapshot
from plumbline.audits.states import Priority, Queue, RunState, WorkState
from plumbline.spec.audit import AuditSpec
from plumbline.spec.registry import PROBES
from plumbline.spec.several_models import for_model, parse_each

WITHOUT_MODEL = ("summary", "comparison")
"""The last phases, which ask no model. Only the run of a plan has a comparison with the run before."""


@transaction.atomic
def launch(
    spec: AuditSpec,
    *,
    owner: str = "",
    plan: Plan | None = None,
    by: User | None = None,
    reuse: bool = True,
    priority: Priority = Priority.INTERACTIVE,
) -> Run:
    """Freeze the spec and create the run. Raises InputError.

    `owner` names the process of an inline run. Without one, idle workers are woken after the commit.
    """
    frozen, snapshots = freeze(spec)
    frozen.check_kind(kind_of(frozen.model), snapshots)
    Snapshot.objects.bulk_create(
        [Snapshot(sha256=sha256, content=content) for sha256, content in snapshots.items()], ignore_conflicts=True
    )
    rests_on = Snapshot.objects.filter(pk__in=snapshots)
    return launch_frozen(frozen, rests_on, owner=owner, plan=plan, by=by, reuse=reuse, priority=priority)


@transaction.atomic
def launch_frozen(
    frozen: AuditSpec,
    rests_on: Iterable[Snapshot],
    *,
    owner: str = "",
    plan: Plan | None = None,
    by: User | None = None,
    reuse: bool = True,
    priority: Priority = Priority.INTERACTIVE,
) -> Run:
    """Create the run of a spec that is already frozen and checked, with the snapshots of an earlier run."""
    variants.check_there(frozen.references())
    spending.check(frozen)
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
        priority=priority,
        created_by=by,
    )
    run.snapshots.set(rests_on)
    Phase.objects.bulk_create(_phases(run, frozen.phases(PROBES[run.probe].card.phases)))
    if not owner:
        worker_messages.wake_later()
    return run


def launch_plan(
    plan: Plan, by: User | None = None, *, model: str = "", priority: Priority = Priority.INTERACTIVE
) -> Run:
    """Launch a plan with today's words, on its first model or on another one. Raises InputError."""
    spec = parse_each(for_model(plan.spec, model) if model and isinstance(plan.spec, dict) else plan.spec)[0]
    return launch(spec, plan=plan, by=by, priority=priority)


@transaction.atomic
def launch_plan_on_all(plan: Plan, by: User | None = None) -> list[Run]:
    """Launch a plan with today's words, a run for each of its models, the parent's first. Raises InputError."""
    return [launch(spec, plan=plan, by=by) for spec in parse_each(plan.spec)]


def _phases(run: Run, asking: tuple[str, ...]) -> list[Phase]:
    """Return the phases in order. Each phase that asks a model follows a phase that plans it."""
    first, *others = asking
    follow = [name for other in others for name in (f"{PLANNING} {other}", other)]
    names = [PLANNING, first, *follow, *WITHOUT_MODEL[: 2 if run.plan else 1]]
    return [
        Phase(
            run=run,
            position=position,
            name=name,
            sharded=name in asking,
            queue=Queue.CPU if name in WITHOUT_MODEL else Queue.GPU,
            state=WorkState.WAITING if position else WorkState.READY,
        )
        for position, name in enumerate(names)
    ]
