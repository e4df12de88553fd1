"""People's decisions about findings: states, votes, assignments, comments. Each change is kept in the history."""

from collections.abc import Collection
from datetime import date

from django.contrib.auth.models import User
from django.db import transaction

from plumbline.audits.clock import ClockTimestamp
from plumbline.findings.models import Comment, Finding, State, Vote
from plumbline.spec.errors import InputError

LONGEST_COMMENT = 4000
MOST_AT_ONCE = 500
WITHOUT_REASON = frozenset({State.CONFIRMED})
"""The states that need no reason: the evidence is the reason."""


@transaction.atomic
def judge(findings: Collection[int], by: User, state: str, reason: str = "") -> int:
    """Give findings a state with one reason. Returns their number. Raises InputError.

    The person votes for the state by this, and cannot sign off the runs that show these findings.
    """
    wanted, told = checked(state, reason)
    rows = _locked(findings)
    for one in rows:
        one.state, one.reason = wanted, told
        _judged(one, by, wanted)
        one.save(update_fields=["state", "reason", "judged_by", "judged_name", "judged_at", "judged_run"])
        _vote(one, by, wanted)
    return len(rows)


def checked(state: str, reason: str) -> tuple[State, str]:
    """Return the state of that name and the trimmed reason. Raises InputError for one that cannot be given."""
    wanted, told = _state(state), limited(reason, "The reason")
    if wanted not in WITHOUT_REASON and not told:
        raise InputError(f"say why: the state “{wanted.label}” needs a reason.")
    return wanted, told


def _judged(one: Finding, by: User, wanted: State) -> None:
    """Record who decided, when, and on the evidence of which run. Opening a finding again records nobody."""
    decided = wanted != State.NEW
    one.judged_by, one.judged_name = (by, by.get_username()) if decided else (None, "")
    one.judged_at = ClockTimestamp() if decided else None
    one.judged_run = one.latest.run_number if decided and one.latest else None


@transaction.atomic
def vote(finding: int, by: User, state: str) -> None:
    """Record the state that a person would give, in place of an earlier vote. Raises InputError."""
    wanted = _state(state)
    (one,) = _locked([finding])
    _vote(one, by, wanted)


def _vote(one: Finding, by: User, state: State) -> None:
    if state == State.NEW:
        return
    values = {"state": state, "person_name": by.get_username()}
    Vote.objects.update_or_create(finding=one, person=by, defaults=values)


@transaction.atomic
def agree(findings: Collection[int], by: User) -> int:
    """Vote for the state that each of these findings has. Those without a decision are left out. Returns the number."""
    judged = [one for one in _locked(findings) if one.is_judged]
    for one in judged:
        _vote(one, by, State(one.state))
    return len(judged)


@transaction.atomic
def assign(findings: Collection[int], to: User | None, due_on: date | None) -> int:
    """Set who takes care of findings, and until when. Returns their number. Raises InputError."""
    if to is not None and not to.is_active:
        raise InputError(f"the account {to.get_username()} is not active; choose another person.")
    rows = _locked(findings)
    for one in rows:
        one.assignee, one.due_on = to, due_on
        one.save(update_fields=["assignee", "due_on"])
    return len(rows)


def comment(finding: int, by: User, text: str) -> Comment:
    """Add a comment, which nobody can edit or remove. Raises InputError."""
    told = limited(text, "The comment")
    if not told:
        raise InputError("the comment is empty; write something.")
    return Comment.objects.create(finding_id=finding, author=by, author_name=by.get_username(), text=told)


def _state(state: str) -> State:
    if not state:
        raise InputError(f"choose a state: {', '.join(one.label for one in State)}.")
    if state not in State.values:
        raise InputError(f"there is no state {state!r}; choose one of {', '.join(State.values)}.")
    return State(state)


def limited(text: str, what: str) -> str:
    """Return what a person wrote, without blanks at its ends. Raises InputError for NUL and over LONGEST_COMMENT."""
    found = text.strip()
    if "\0" in found:
        raise InputError(f"{what} holds the character NUL, which no text has. Take it out.")
    if len(found) > LONGEST_COMMENT:
        raise InputError(f"{what} has {len(found):,} characters; at most {LONGEST_COMMENT:,} are kept. Shorten it.")
    return found


def check_number(findings: Collection[int]) -> None:
    """Raise InputError if no finding is selected, or more than can be changed at once."""
    wanted = set(findings)
    if not wanted:
        raise InputError("no finding is selected; select at least one.")
    if len(wanted) > MOST_AT_ONCE:
        raise InputError(f"{len(wanted):,} findings are selected; at most {MOST_AT_ONCE} can be changed at once.")


def _locked(findings: Collection[int]) -> list[Finding]:
    """Return the findings, locked in order. Raises InputError for too many, none, or one that does not exist."""
    wanted = set(findings)
    check_number(wanted)
    found = Finding.objects.select_for_update(of=("self",)).filter(pk__in=wanted).select_related("latest")
    rows = list(found.order_by("pk"))
    if missing := wanted - {one.pk for one in rows}:
        raise InputError(f"there is no finding {min(missing)}.")
    return rows
