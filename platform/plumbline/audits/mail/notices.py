"""Notices: e-mails to people. Each is written once, in the transaction of its event."""

from collections.abc import Sequence

from django.db.models import CharField, Exists, F, OuterRef, QuerySet, Value
from django.db.models.functions import Cast, Concat

from plumbline.audits.clock import ClockTimestamp
from plumbline.audits.mail import addresses, sending_notices
from plumbline.audits.models import Comparison, Launch, Notice, Outcome, Run, Schedule
from plumbline.audits.states import RunState
from plumbline.spec.errors import InputError

LONGEST_SUBJECT = 200
NOBODY = "nobody is notified: the schedule names no address"


def one_line(text: str, most: int = 500) -> str:
    """Return typed text as part of a line: without line breaks and control characters, at most `most` characters."""
    line = "".join(character for character in " ".join(text.split()) if character.isprintable())
    return line if len(line) <= most else line[: most - 1] + "…"


def write(schedule: Schedule | None, key: str, subject: str, body: Sequence[str]) -> None:
    """Write a notice to the recipients of the schedule. Without any it is stored only. A known key writes nothing."""
    write_to(recipients(schedule), key, subject, body, schedule)


def write_to(told: list[str], key: str, subject: str, body: Sequence[str], schedule: Schedule | None = None) -> None:
    """Write a notice to addresses. A known key writes nothing."""
    notice = Notice(
        schedule=schedule,
        key=key,
        recipients=told,
        subject=one_line(f"Plumbline: {subject}", LONGEST_SUBJECT),
        body="\n".join([*body, ""]),
        retry_at=ClockTimestamp() if told else None,
        error="" if told else NOBODY,
    )
    Notice.objects.bulk_create([notice], ignore_conflicts=True)


def recipients(schedule: Schedule | None) -> list[str]:
    """Return the current recipients of a schedule. Invalid addresses saved outside the forms count as none."""
    try:
        return addresses.parse(schedule.notify) if schedule else []
    except InputError:
        return []


def write_moved_notice(comparison: Comparison, lines: Sequence[str]) -> None:
    """Write a notice that cells of a scheduled run changed. `lines` names them. Runs without a schedule write none."""
    run = comparison.run
    launch = Launch.objects.select_related("schedule").filter(run=run).first()
    if launch is None or not comparison.moved:
        return
    moved = f"{comparison.moved} of {comparison.cells} cells that both runs asked moved"
    heading = [
        f"{moved} in run {run.pk} of {one_line(run.name)} on {one_line(run.model)},",
        f"compared with run {comparison.previous_id} of the same plan and model.",
    ]
    hint = f"More: manage.py audit compare {comparison.previous_id} {run.pk}"
    write(launch.schedule, f"run {run.pk} moved", f"{moved}: {run.name}, {run.model}", [*heading, "", *lines, "", hint])


def write_refused_notice(launch: Launch) -> None:
    """Write a notice that a plan cannot be launched, unless the launch before failed for the same reason."""
    before = launch.schedule.launches.filter(model=launch.model, due_at__lt=launch.due_at).order_by("-due_at").first()
    if before is not None and (before.outcome, before.reason) == (Outcome.REFUSED, launch.reason):
        return
    name, model = one_line(launch.schedule.plan.name), one_line(launch.model)
    body = [
        f"The plan {name} was due at {launch.due_at:%Y-%m-%d %H:%M} UTC on {model}",
        "and could not be launched:",
        "",
        one_line(launch.reason, 2000),
        "",
        "The schedule stays; the same reason gives no second notice.",
    ]
    write(launch.schedule, f"launch {launch.pk} refused", f"cannot launch {name} on {model}", body)


def write_failure_notices() -> int:
    """Write the missing notices about failed scheduled runs. Returns their number."""
    missing = [*_failed_without_notice()]
    for launch in missing:
        write(launch.schedule, f"run {launch.run_id} failed", *_about_failure(launch))
    return len(missing)


def _failed_without_notice() -> QuerySet[Launch]:
    key = Concat(Value("run "), Cast(OuterRef("run_id"), CharField()), Value(" failed"))
    failed = Launch.objects.filter(run__state=RunState.FAILED).exclude(Exists(Notice.objects.filter(key=key)))
    return failed.select_related("run", "schedule").order_by(F("run_id"))


def _about_failure(launch: Launch) -> tuple[str, list[str]]:
    run: Run = launch.run  # type: ignore[assignment]  # its state was asked for
    name, model = one_line(run.name), one_line(run.model)
    body = [
        f"Run {run.pk} of {name} on {model},",
        f"due at {launch.due_at:%Y-%m-%d %H:%M} UTC, failed:",
        "",
        one_line(run.error, 2000),
        "",
        f"What is done is kept: manage.py audit resume {run.pk} continues with the rest.",
    ]
    return f"run {run.pk} failed: {name}, {model}", body


def send_due() -> int:
    """Write the missing notices and send the due ones. Returns the number sent. Several processes may do so at once."""
    write_failure_notices()
    return sending_notices.send_due()


def send_again(notices: QuerySet[Notice]) -> int:
    """Queue notices for the next sweep, to the schedule's current recipients. Returns the number of notices."""
    told = 0
    for notice in notices.select_related("schedule"):
        if to := recipients(notice.schedule) or notice.recipients:
            again = Notice.objects.filter(pk=notice.pk)
            told += again.update(recipients=to, retry_at=ClockTimestamp(), sent_at=None, attempts=0, error="")
    return told
