"""What people decide about findings, what it asks of them, and when later evidence overtakes it."""

from datetime import date

import pytest
from django.contrib.auth.models import User

from plumbline.findings import judging
from plumbline.findings.models import Comment, Finding, State, Vote
from plumbline.findings.updating import update
from plumbline.spec.errors import InputError
from plumbline.spec.verdicts import Verdict
from plumbline.vocab.models.recorded import EVENTS
from tests.plumbline.findings.audited import a_plan, a_run, difference

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada() -> User:
    return User.objects.create_user("ada")


def found(*words: str) -> list[int]:
    update(a_run(*(difference(word, 0.6) for word in words), plan=a_plan()))
    return list(Finding.objects.values_list("pk", flat=True))


def test_many_findings_are_judged_at_once_with_one_reason_and_a_vote_each(ada: User) -> None:
    assert judging.judge(found("warm", "kind"), ada, State.DISMISSED, " a base rate ") == 2
    assert set(Finding.objects.values_list("state", "reason", "judged_name")) == {
        (State.DISMISSED, "a base rate", "ada")
    }
    assert set(Vote.objects.values_list("state", "person_name")) == {(State.DISMISSED, "ada")}
    assert Finding.objects.exclude(judged_at=None).exclude(judged_run=None).count() == 2


@pytest.mark.parametrize("state", [State.DISMISSED, State.ACCEPTED, State.MITIGATED, State.NEW])
def test_each_state_but_confirmed_needs_a_reason(ada: User, state: State) -> None:
    with pytest.raises(InputError, match="needs a reason"):
        judging.judge(found("warm"), ada, state, "  ")
    assert judging.judge(list(Finding.objects.values_list("pk", flat=True)), ada, State.CONFIRMED) == 1


def test_a_wrong_state_no_selection_and_a_missing_finding_are_told(ada: User) -> None:
    ids = found("warm")
    with pytest.raises(InputError, match="there is no state 'fine'"):
        judging.judge(ids, ada, "fine")
    with pytest.raises(InputError, match="no finding is selected"):
        judging.judge([], ada, State.CONFIRMED)
    with pytest.raises(InputError, match="there is no finding 0"):
        judging.judge([*ids, 0], ada, State.CONFIRMED)
    assert Finding.objects.get().state == State.NEW


def test_a_vote_replaces_the_one_before_and_says_nothing_of_the_state(ada: User) -> None:
    (one,) = found("warm")
    judging.vote(one, ada, State.CONFIRMED)
    judging.vote(one, ada, State.DISMISSED)
    assert list(Vote.objects.values_list("state", flat=True)) == [State.DISMISSED]
    assert Finding.objects.get().state == State.NEW


def test_agreeing_votes_for_the_states_that_findings_have(ada: User) -> None:
    ids = found("warm", "kind")
    judging.judge(ids[:1], ada, State.CONFIRMED)
    assert judging.agree(ids, User.objects.create_user("grace")) == 1
    assert sorted(Vote.objects.values_list("person_name", flat=True)) == ["ada", "grace"]


def test_a_finding_is_assigned_with_a_due_date_to_an_active_person(ada: User) -> None:
    ids = found("warm")
    judging.assign(ids, ada, date(2030, 1, 2))
    one = Finding.objects.get()
    assert (one.assignee, one.due_on) == (ada, date(2030, 1, 2))
    ada.is_active = False
    with pytest.raises(InputError, match="is not active"):
        judging.assign(ids, ada, None)


def test_comments_are_kept_with_the_name_of_their_author(ada: User) -> None:
    (one,) = found("warm")
    judging.comment(one, ada, "seen in <b>production</b>")
    ada.delete()
    assert list(Comment.objects.values_list("author_name", "text")) == [("ada", "seen in <b>production</b>")]
    with pytest.raises(InputError, match="at most 4,000"):
        judging.comment(one, User.objects.create_user("grace"), "x" * 4001)


def test_every_change_of_the_state_is_in_the_history(ada: User) -> None:
    ids = found("warm")
    judging.judge(ids, ada, State.CONFIRMED)
    judging.judge(ids, ada, State.ACCEPTED, "until March")
    events = EVENTS[Finding].objects.order_by("pgh_id")
    assert list(events.values_list("state", flat=True)) == [State.NEW, State.CONFIRMED, State.ACCEPTED]


@pytest.mark.parametrize(
    ("state", "value", "told"),
    [
        (State.CONFIRMED, -0.6, "points the other way"),
        (State.MITIGATED, 0.6, "is still there"),
        (State.CONFIRMED, 0.6, ""),
        (State.DISMISSED, 0.6, ""),
        (State.ACCEPTED, 0.6, ""),
    ],
)
def test_later_evidence_overtakes_a_decision(ada: User, state: State, value: float, told: str) -> None:
    judging.judge(found("warm"), ada, state, "why not")
    update(a_run(difference("warm", value), plan=a_plan()))
    one = Finding.objects.get()
    assert (one.state == State.NEW) == bool(told)
    assert told in one.reason
    assert not told or ("by ada" in one.reason and one.judged_by is None)


def test_a_finding_that_comes_back_is_judged_again(ada: User) -> None:
    ids = found("warm")
    update(a_run(difference("warm", 0.01, Verdict.ABSENT), plan=a_plan()))
    judging.judge(ids, ada, State.CONFIRMED)
    update(last := a_run(difference("warm", 0.6), plan=a_plan()))
    assert Finding.objects.get().reason.startswith(f"Reopened: in run {last.pk} it is back after it was gone.")
    judging.judge(ids, ada, State.CONFIRMED)
    update(last)  # written again, it is the evidence of that very judgement
    assert Finding.objects.get().state == State.CONFIRMED
