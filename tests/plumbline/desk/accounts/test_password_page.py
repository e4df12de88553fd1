"""The page of one's own password: the old one is asked for, and cannot be guessed in a session that is left open."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from plumbline.accounts.models import Activity, ActivityEntry
from plumbline.desk.accounts.password_page import LOCKED, MOST_WRONG
from tests.plumbline.desk.accounts.conftest import PASSWORD

NEW = "another-plumb-line-7"


@pytest.fixture
def session(ada: User) -> Client:
    client = Client()
    client.force_login(ada)
    return client


def errors(session: Client, old: str) -> str:
    answer = session.post(reverse("password_change"), {"old_password": old, "new_password1": NEW, "new_password2": NEW})
    return "" if answer.status_code == 302 else str(answer.context["form"].errors)


def test_a_change_is_recorded(session: Client, ada: User) -> None:
    assert not errors(session, PASSWORD)
    ada.refresh_from_db()
    assert ada.check_password(NEW)
    (entry,) = ActivityEntry.objects.filter(activity=Activity.PASSWORD)
    assert (entry.about, entry.account, entry.person) == ("password changed", ada.pk, ada.pk)


def test_after_five_wrong_ones_the_right_one_is_not_checked(
    session: Client, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(MOST_WRONG):
        assert "entered incorrectly" in errors(session, f"guess-{number}")
    assert LOCKED in errors(session, PASSWORD)
    later = timezone.now() + timedelta(minutes=16)
    monkeypatch.setattr(timezone, "now", lambda: later)
    assert not errors(session, PASSWORD)
