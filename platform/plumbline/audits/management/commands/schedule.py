"""manage.py schedule: recurring launches of plans."""

from collections.abc import Iterable
from typing import Any

import pghistory
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from plumbline.audits import clock
from plumbline.audits.mail import addresses
from plumbline.audits.models import Launch, ModelUnderAudit, Outcome, Schedule
from plumbline.audits.named_plans import plan_named
from plumbline.audits.scheduling import cron
from plumbline.audits.scheduling.schedule_form import NEXT_TIMES
from plumbline.audits.scheduling.schedules import models_of
from plumbline.spec.errors import InputError
from plumbline.spec.reference import ModelReference
from plumbline.vocab.authors import os_user

MOST_SHOWN = 20


class Command(BaseCommand):
    help = "Schedules: launch a plan repeatedly and compare each run with the one before."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True, metavar="add|list|show|pause|unpause|remove")
        add = actions.add_parser("add", help="schedule a plan")
        add.add_argument("plan", metavar="PLAN", help="its name")
        add.add_argument("--cron", required=True, help="minute, hour, day of month, month, day of week: '0 6 * * 1'")
        add.add_argument("--zone", default="UTC", help="the time zone of the cron text, such as Europe/Berlin")
        add.add_argument(
            "--model", action="append", default=[], metavar="REF", help="instead of the plan's; may repeat"
        )
        add.add_argument("--notify", action="append", default=[], metavar="ADDRESS", help="who is told; may repeat")
        actions.add_parser("list", help="all schedules")
        for action, what in (
            ("show", "its timing and its latest entries"),
            ("pause", "launch nothing until unpaused"),
            ("unpause", "continue from now; missed times are not made up for"),
            ("remove", "delete it and its entries; the runs stay"),
        ):
            actions.add_parser(action, help=what).add_argument("schedule", metavar="ID", type=int)

    def handle(self, *args: Any, **options: Any) -> None:
        name = options.pop("action")
        action = getattr(self, f"_{name}")
        try:
            with pghistory.context(command=f"schedule {name}", os_user=os_user()):
                self.stdout.write("\n".join(action(**options)))
        except InputError as error:
            raise CommandError(str(error), returncode=2) from None

    @transaction.atomic
    def _add(self, plan: str, cron: str, zone: str, model: list[str], notify: list[str], **_: Any) -> Iterable[str]:
        schedule = Schedule(
            plan=plan_named(plan), cron=cron, zone=zone, notify="\n".join(addresses.parse("\n".join(notify)))
        )
        references = [str(ModelReference.parse(reference)) for reference in model]
        schedule.save()
        schedule.audited_models.set(
            ModelUnderAudit.objects.get_or_create(reference=reference)[0] for reference in references
        )
        return [f"schedule {schedule.pk} added: {schedule}, next due {schedule.next_due()}"]

    def _list(self, **_: Any) -> Iterable[str]:
        schedules = Schedule.objects.select_related("plan").prefetch_related("audited_models")
        return [_line(schedule) for schedule in schedules] or ["no schedules yet: 'schedule add PLAN --cron ...'"]

    def _show(self, schedule: int, **_: Any) -> Iterable[str]:
        found = _schedule(schedule)
        entries = found.launches.select_related("run", "schedule")[:MOST_SHOWN]
        return [
            _line(found),
            *_times_without_pause(found),
            f"models: {', '.join(models_of(found))}",
            f"told: {', '.join(found.notify.split()) or 'nobody'}",
            *(_entry(entry) for entry in entries),
        ]

    def _pause(self, schedule: int, **_: Any) -> Iterable[str]:
        return self._set_paused(_schedule(schedule), True)

    def _unpause(self, schedule: int, **_: Any) -> Iterable[str]:
        return self._set_paused(_schedule(schedule), False)

    def _set_paused(self, schedule: Schedule, paused: bool) -> Iterable[str]:
        schedule.paused = paused
        schedule.save()
        return [_line(schedule)]

    def _remove(self, schedule: int, **_: Any) -> Iterable[str]:
        _schedule(schedule).delete()
        return [f"schedule {schedule} removed; its runs stay"]


def _schedule(pk: int) -> Schedule:
    if found := Schedule.objects.select_related("plan").filter(pk=pk).first():
        return found
    raise InputError(f"there is no schedule {pk}: 'schedule list' shows all.")


def _line(schedule: Schedule) -> str:
    timing = "paused" if schedule.paused else f"next due {schedule.next_due()}"
    return f"{schedule.pk}  {schedule}  {timing}; last due {schedule.local_time(schedule.last_due_at)}"


def _times_without_pause(schedule: Schedule) -> Iterable[str]:
    if not schedule.paused:
        return
    try:
        times = cron.next_times(schedule.cron, schedule.zone, clock.now(), NEXT_TIMES)
    except InputError as error:
        yield f"paused: it launches nothing, since {error}"
    else:
        yield f"paused: it launches nothing. Unpaused, it would be due at {'; '.join(map(schedule.local_time, times))}"


def _entry(entry: Launch) -> str:
    what = f"run {entry.run.pk} {entry.run.state}" if entry.run else entry.reason
    if entry.outcome == Outcome.UNCHANGED:
        what = f"since run {entry.unchanged_since_id or '(deleted)'}"
    elif entry.outcome == Outcome.LAUNCHED and not entry.run:
        what = "its run was deleted"
    missed = f" ({entry.missed} missed before)" if entry.missed else ""
    return f"  {entry.schedule.local_time(entry.due_at)}  {entry.model}  {entry.outcome}: {what}{missed}"
