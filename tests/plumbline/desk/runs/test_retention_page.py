"""Old runs are shown before they are deleted, and exactly those that were shown go."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from plumbline.accounts.models import Activity, ActivityEntry
from plumbline.annotation.models import AnnotationTask
from plumbline.audits.models import Run
from plumbline.desk.views import retention as under_test
from plumbline.results import partitions
from tests.plumbline.desk.findings.conftest import LogIn, log_in

__all__ = ["log_in"]

pytestmark = pytest.mark.django_db

OLD, NEW, DAY = datetime(2020, 5, 1, tzinfo=UTC), datetime(2021, 5, 1, tzinfo=UTC), "2021-01-01"


def made(ended: datetime = OLD, name: str = "traits") -> Run:
    return Run.objects.create(name=name, probe="ilps", model="path:x", spec={}, state="done", finished_at=ended)


def shown(client: Client, day: str = DAY) -> str:
    return " ".join(client.get(reverse("runs_old"), {"before": day}).content.decode().split())


def pressed(client: Client, numbers: str, day: str = DAY) -> str:
    form = {"before": day, "shown": numbers}
    return " ".join(client.post(reverse("runs_old_delete"), form, follow=True).content.decode().split())


@pytest.fixture
def admin(log_in: LogIn) -> Client:
    return log_in("ada", "admin")


def test_the_page_shows_what_would_go_and_what_stays_and_why(admin: Client) -> None:
    goes, stays, new = made(name="<b>bold</b>"), made(), made(NEW)
    AnnotationTask.objects.create(kind="mapping", title="map these", run=stays)
    text = shown(admin)
    assert "<b>1 run</b> with 0 records" in text
    assert f'name="shown" value="{goes.pk}"' in text
    assert "&lt;b&gt;bold&lt;/b&gt;" in text
    assert "annotation tasks rest on it: map these" in text
    assert f'href="/runs/{new.pk}/"' not in text
    assert Run.objects.count() == 3


def test_exactly_what_was_shown_goes_and_the_log_names_who_did_it(admin: Client) -> None:
    old, new = made(), made(NEW)
    assert f"Deleted 1 run: {old.pk}." in pressed(admin, str(old.pk))
    assert list(Run.objects.all()) == [new]
    entry = ActivityEntry.objects.filter(activity=Activity.DELETION).latest("pk")
    assert (entry.about, entry.person) == (f"run {old.pk}: traits", User.objects.get(username="ada").pk)


def test_a_large_run_goes_with_its_own_tables(admin: Client) -> None:
    old = made()
    partitions.prepare(old.pk, {"association": partitions.OWN_PARTITION_FROM})
    assert f"Deleted 1 run: {old.pk}." in pressed(admin, str(old.pk))
    assert partitions.own_partitions(old.pk) == []


@pytest.mark.parametrize("numbers", ["", "0", "all"])
def test_nothing_goes_if_others_would_go_than_were_shown(admin: Client, numbers: str) -> None:
    made()
    assert "has changed since it was shown, so nothing was deleted" in pressed(admin, numbers)
    assert Run.objects.count() == 1


def test_many_runs_go_in_portions_the_oldest_first(admin: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(under_test, "MOST_GOING", 2)
    first, second, third = (made() for _ in range(3))
    assert "These are the oldest" in shown(admin)
    assert f'value="{third.pk}"' in pressed(admin, f"{first.pk},{second.pk}")


@pytest.mark.parametrize(("day", "fault"), [("31.1.2026", "is no date"), ("9000-01-01", "is in the future")])
def test_a_wrong_day_is_refused_in_one_line(admin: Client, day: str, fault: str) -> None:
    assert fault in shown(admin, day)
    assert fault in pressed(admin, "", day)


def test_empty_states_say_what_to_do(admin: Client) -> None:
    assert "Choose a day." in shown(admin, "")
    assert f"No run ended before {DAY}. Choose a later day." in shown(admin)


@pytest.mark.parametrize("role", ["viewer", "reviewer", "curator", "auditor"])
def test_only_admins_delete(log_in: LogIn, role: str) -> None:
    run = made()
    person: Any = log_in("eve", role)
    assert person.get(reverse("runs_old")).status_code == 403
    assert person.post(reverse("runs_old_delete"), {"before": DAY, "shown": str(run.pk)}).status_code == 403
    assert "Delete old runs" not in person.get(reverse("runs")).content.decode()
    assert Run.objects.count() == 1
