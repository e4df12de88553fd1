"""Schedules. Each due time is launched once by the database's clock, however many schedulers run."""

from datetime import datetime, timedelta

import pghistory
import structlog
from django.contrib.auth.models import User
from django.db import Error, connection, transaction

from plumbline.audits import clock
from plumbline.audits.launching import launch_plan
from plumbline.audits.mail import notices
from plumbline.audits.models import Launch, Outcome, Run, Schedule
from plumbline.audits.scheduling import cron
from plumbline.audits.states import Priority
from plumbline.spec.errors import InputError
from plumbline.spec.several_models import model_names
from plumbline.vocab.authors import os_user

LONGEST_OPEN = timedelta(hours=12)
"""How long the page Run now may be open before its button does nothing."""

log = structlog.get_logger(__name__)


def tick() -> int:
    """Launch due schedules and return the number of runs. Each schedule has its own transaction and blocks no other."""
    now = clock.now()
    due = Schedule.objects.filter(paused=False, next_due_at__lte=now).order_by("next_due_at", "pk")
    return sum(_try(pk, now) for pk in list(due.values_list("pk", flat=True)))


def _try(pk: int, now: datetime) -> int:
    try:
        return _come_due(pk, now)
    except Exception:
        if not connection.is_usable():
            raise
        log.exception("a schedule could not be launched; the next tick tries again", schedule=pk)
        return 0


@transaction.atomic
def _come_due(pk: int, now: datetime) -> int:
    """Advance the schedule from the due time that was read, and launch. Whoever loses the race does nothing."""
    schedule = Schedule.objects.select_related("plan", "created_by").filter(pk=pk).first()
    if schedule is None or schedule.next_due_at is None or schedule.next_due_at > now:
        return 0
    seen = Schedule.objects.filter(pk=pk, paused=False, next_due_at=schedule.next_due_at)
    try:
        due = cron.due(schedule.cron, schedule.zone, schedule.next_due_at, now)
    except InputError as error:
        with pghistory.context(command="scheduler", os_user=os_user()):
            return _stop(schedule, seen.update(paused=True, next_due_at=None), str(error))
    if not seen.update(next_due_at=due.following, last_due_at=due.latest):
        return 0
    # A due time repeats if the server's clock is set back.
    known = set(schedule.launches.filter(due_at=due.latest).values_list("model", flat=True))
    return sum(_launch(schedule, model, due) for model in models_of(schedule) if model not in known)


def _stop(schedule: Schedule, stopped: int, why: str) -> int:
    """Report a schedule that was paused because its timing is no longer valid. Returns 0.

    It was valid when saved, but another version of the time zones or of the library rejects it.
    """
    if stopped:
        log.error("a schedule is paused: its timing cannot be read", schedule=schedule.pk, error=why)
        key = f"schedule {schedule.pk} paused at {schedule.next_due_at}"
        notices.write(schedule, key, f"schedule {schedule.pk} is paused", [f"Its timing cannot be read: {why}"])
    return 0


def models_of(schedule: Schedule) -> list[str]:
    """Return the references of the models that a schedule audits: its own, else those of the plan."""
    own = list(schedule.audited_models.values_list("reference", flat=True))
    return own or [one[:500] for one in model_names(schedule.plan.spec)] or [""]


def is_audited_by_a_schedule(reference: str) -> bool:
    """Return whether a schedule that is not paused audits this model: by its own choice of models, or by its plan's."""
    active = Schedule.objects.filter(paused=False).select_related("plan")
    return any(reference in models_of(schedule) for schedule in active)


@transaction.atomic
def run_now(schedule: Schedule, asked_at: datetime, user: User) -> list[Run]:
    """Launch a schedule's plan for a person who waits for it, on each of its models. Its due times stay as they are.

    `asked_at` is the time at which the person opened the page, and names the request: a second click on the same page
    gets the runs of the first. Raises InputError if the plan cannot be launched on one of the models, or if the page is
    too old. Then nothing is launched.
    """
    if not timedelta() <= clock.now() - asked_at <= LONGEST_OPEN:
        raise InputError("this page is too old to launch anything; open it again.")
    Schedule.objects.select_for_update(of=("self",)).get(pk=schedule.pk)  # a second click waits for the first
    earlier = Launch.objects.filter(schedule=schedule, due_at=asked_at)
    if earlier.exists():
        return list(Run.objects.filter(launch__in=earlier).order_by("pk"))
    models = models_of(schedule)
    runs = [launch_plan(schedule.plan, user, model=model) for model in models]
    Launch.objects.bulk_create(
        Launch(schedule=schedule, due_at=asked_at, model=model, outcome=Outcome.LAUNCHED, run=run)
        for model, run in zip(models, runs, strict=True)
    )
    return runs


def _launch(schedule: Schedule, model: str, due: cron.Due) -> int:
    """Write one entry with its run, or with the reason why there is none. Returns the number of runs."""
    entry = Launch(schedule=schedule, due_at=due.latest, missed=due.missed, model=model, outcome=Outcome.LAUNCHED)
    try:
        entry.run = launch_plan(schedule.plan, schedule.created_by, model=model, priority=Priority.SCHEDULED)
        entry.save()
        return 1
    except Error:
        raise
    except InputError as error:
        entry.reason = str(error)
    except Exception as error:
        log.exception("a scheduled launch failed", schedule=schedule.pk, model=model)
        entry.reason = f"a fault of Plumbline's own, see the scheduler's log: {type(error).__name__}: {error}"
    entry.run, entry.outcome = None, Outcome.REFUSED
    entry.save()
    notices.write_refused_notice(entry)
    return 0
