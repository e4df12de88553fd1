"""People who are told once when a run ends."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail

from plumbline.accounts.mail import DUMMY
from plumbline.audits.mail import followers
from plumbline.audits.models import Notice, Run, RunFollower
from plumbline.audits.states import RunState
from plumbline.audits.sweep import sweep

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada() -> User:
    return User.objects.create_user("ada", "ada@example.org")


def ended(run: Run, state: RunState = RunState.DONE, error: str = "") -> None:
    Run.objects.filter(pk=run.pk).update(state=state, error=error)


def test_nobody_is_told_while_the_run_lives(run: Run, ada: User) -> None:
    followers.follow(run, ada)
    sweep()
    assert mail.outbox == []


def test_a_follower_is_told_once_when_the_run_is_done(run: Run, ada: User) -> None:
    followers.follow(run, ada)
    followers.follow(run, ada)
    ended(run)
    sweep()
    sweep()
    (told,) = mail.outbox
    assert told.to == ["ada@example.org"]
    assert told.subject == f"Plumbline: run {run.pk} is done: {run.name}, {run.model}"
    assert f"'manage.py audit show {run.pk}'" in told.body
    assert not RunFollower.objects.exists()


def test_a_failure_is_told_with_its_reason_and_what_to_do(run: Run, ada: User) -> None:
    followers.follow(run, ada)
    ended(run, RunState.FAILED, "the disk\nis full")
    sweep()
    assert "the disk is full" in mail.outbox[0].body
    assert f"manage.py audit resume {run.pk}" in mail.outbox[0].body


def test_who_asks_again_after_a_resumed_run_is_told_again(run: Run, ada: User) -> None:
    for state in (RunState.CANCELLED, RunState.DONE):
        followers.follow(run, ada)
        ended(run, state)
        sweep()
    cancelled, done = (one.subject for one in mail.outbox)
    assert f"run {run.pk} is cancelled" in cancelled
    assert f"run {run.pk} is done" in done


def test_who_takes_it_back_or_left_is_not_told(run: Run, ada: User) -> None:
    ben = User.objects.create_user("ben", "ben@example.org", is_active=False)
    for person in (ada, ben):
        followers.follow(run, person)
    followers.unfollow(run, ada)
    ended(run)
    sweep()
    assert mail.outbox == []
    assert not Notice.objects.exists()


def test_why_no_mail_can_come_is_said(ada: User, settings: Any) -> None:
    assert followers.why_untold(ada) == ""
    assert followers.why_untold(User(username="ben")).startswith("Your account has no mail address.")
    settings.EMAIL_BACKEND = DUMMY
    assert followers.why_untold(ada).startswith("No mail is sent here")
