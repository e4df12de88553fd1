"""Notices: what people are told by e-mail. Each is written in the transaction that makes its fact, and once only."""

from collections.abc import Sequence

from django.db.models import CharField, Exists, F, OuterRef, QuerySet, Value
from django.db.models.functions import Cast, Concat

from plumbline.audits import addresses, sending_notices
from plumbline.audits.clock import ClockTimestamp
from plumbline.audits.models import Comparison, Launch, Notice, Outcome, Run, Schedule
from plumbline.audits.states import RunState
from plumbline.spec.errors import InputError

LONGEST_SUBJECT = 200
NOBODY = "nobody is told: the schedule names no address"


def one_line(text: str, most: int = 500) -> str:
    """Text that people typed, as a part of a line: no line break, no control character, and not too long."""
    line = "".join(character for character in " ".join(text.split()) if character.isprintable())
    return line if len(line) <= most else line[: most - 1] + "…"


def write(schedule: Schedule | None, key: str, subject: str, body: Sequence[str]) -> None:
    """Write a notice to whom the schedule names; one without recipients is kept to be read. A known key: nothing."""
    told = recipients(schedule)
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
    """Who is told today. What was saved past the forms and is no address is told nothing."""
    try:
        return addresses.parse(schedule.notify) if schedule else []
    except InputError:
        return []


def tell_moved(comparison: Comparison, lines: Sequence[str]) -> None:
    """A scheduled run is done, and cells moved. `lines` say which; a run that nobody scheduled tells nobody."""
    run = comparison.run
    launch = Launch.objects.select_related("schedule").filter(run=run).first()
    if launch is None or not comparison.moved:
        return
    moved = f"{comparison.moved} of {comparison.cells} cells moved"
    heading = [
        f"{moved} in run {run.pk} of {one_line(run.name)} on {one_line(run.model)},",
        f"compared with run {comparison.previous_id} of the same plan and model.",
    ]
    hint = f"More: manage.py audit compare {comparison.previous_id} {run.pk}"
    write(launch.schedule, f"run {run.pk} moved", f"{moved}: {run.name}, {run.model}", [*heading, "", *lines, "", hint])


def tell_refused(launch: Launch) -> None:
    """A plan cannot be launched. Told once, until the reason changes or a launch succeeds in between."""
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
        "The schedule stays; the same reason is not told again.",
    ]
    write(launch.schedule, f"launch {launch.pk} refused", f"cannot launch {name} on {model}", body)


def tell_failures() -> int:
    """Write what is missing: a notice for each scheduled run that failed, wherever it did; how many."""
    missing = [*_failed_untold()]
    for launch in missing:
        write(launch.schedule, f"run {launch.run_id} failed", *_about_failure(launch))
    return len(missing)


def _failed_untold() -> QuerySet[Launch]:
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
        f"What is done is kept: manage.py audit resume {run.pk} goes on with the rest.",
    ]
    return f"run {run.pk} failed: {name}, {model}", body


def send_due() -> int:
    """Write the notices that are missing and send what is due; how many were sent. Several may do so at once."""
    tell_failures()
    return sending_notices.send_due()


def send_again(notices: QuerySet[Notice]) -> int:
    """A person asks for it: send them in the next sweep, sent or given up, to whom the schedule names now; how many."""
    told = 0
    for notice in notices.select_related("schedule"):
        if to := recipients(notice.schedule) or notice.recipients:
            again = Notice.objects.filter(pk=notice.pk)
            told += again.update(recipients=to, retry_at=ClockTimestamp(), sent_at=None, attempts=0, error="")
    return told
