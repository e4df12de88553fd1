"""Telling people by mail that a run has ended, each once for each time that they ask."""

from django.contrib.auth.models import User
from django.db import transaction

from plumbline.accounts import mail
from plumbline.audits.mail import notices
from plumbline.audits.mail.notices import one_line
from plumbline.audits.models import Run, RunFollower
from plumbline.audits.states import LIVE, RunState

MOST_AT_ONCE = 100
NEXT = {
    RunState.DONE: "'manage.py audit show {run}' shows what it found, as the page of the run does.",
    RunState.FAILED: "What is done is kept: 'Resume' on its page, or manage.py audit resume {run}, goes on.",
    RunState.CANCELLED: "What is done is kept: 'Resume' on its page, or manage.py audit resume {run}, goes on.",
}


def why_untold(person: User) -> str:
    """Return why no mail can reach a person; empty if one can."""
    if not mail.is_set():
        return "No mail is sent here (EMAIL_URL names no server). Leave this page open: it shows when the run ends."
    if not person.email:
        return "Your account has no mail address. This page shows the end when it is open."
    return ""


def follow(run: Run, person: User) -> None:
    """Tell a person when the run ends. A run that has ended by then is told of as well."""
    RunFollower.objects.get_or_create(run=run, person=person)


def unfollow(run: Run, person: User) -> None:
    RunFollower.objects.filter(run=run, person=person).delete()


def follows(run: Run, person: User) -> bool:
    return RunFollower.objects.filter(run=run, person=person).exists()


def write_end_notices() -> int:
    """Write a notice for each follower of a run that has ended. Returns their number."""
    ended = RunFollower.objects.exclude(run__state__in=LIVE).order_by("id")
    written = [_write(number) for number in ended.values_list("pk", flat=True)[:MOST_AT_ONCE]]
    return sum(written)


@transaction.atomic
def _write(number: int) -> bool:
    """Write a follower's notice in place of the row. False if another process has done so."""
    rows = RunFollower.objects.select_for_update(skip_locked=True, of=("self",)).select_related("run", "person")
    if (row := rows.filter(pk=number).first()) is None:
        return False
    if row.person.is_active and row.person.email:
        notices.write_to([row.person.email], f"run {row.run_id} ended, asked {number}", *_about_end(row.run))
    row.delete()
    return True


def _about_end(run: Run) -> tuple[str, list[str]]:
    name, model, state = one_line(run.name), one_line(run.model), RunState(run.state)
    why = ["", one_line(run.error, 2000)] if run.error else []
    body = [f"Run {run.pk} of {name} on {model} is {state.value}.", *why, "", NEXT[state].format(run=run.pk)]
    return f"run {run.pk} is {state.value}: {name}, {model}", body
