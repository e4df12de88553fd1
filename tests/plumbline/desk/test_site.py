"""The door of the admin."""

from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse


@pytest.mark.django_db
def test_an_account_without_a_role_reads_so_and_is_not_sent_to_the_login() -> None:
    client = Client()
    client.force_login(User.objects.create(username="nobody"))
    answer = client.get(reverse("admin:index"), follow=True)
    assert answer.status_code == 403
    assert "an account without a role" in answer.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("page", "role"),
    [
        ("vocab_namelist_add", "curator or admin"),
        ("vocab_grouplist_import", "curator or admin"),
        ("audits_plan_add", "auditor or admin"),
        ("auth_user_changelist", "admin"),
    ],
)
def test_a_page_that_a_viewer_may_not_open_names_the_role_that_may(page: str, role: str) -> None:
    client = Client()
    person = User.objects.create(username="vera")
    person.groups.add(Group.objects.get(name="viewer"))
    client.force_login(person)
    answer = client.get(reverse(f"admin:{page}"))
    assert answer.status_code == 403
    assert f"It needs the role {role}." in answer.content.decode()


@pytest.mark.django_db
def test_a_page_that_is_for_nobody_names_no_role(admin_client: Client) -> None:
    answer = admin_client.get(reverse("admin:audits_run_add"))
    assert answer.status_code == 403
    assert "It needs the role" not in answer.content.decode()


@pytest.mark.django_db
def test_the_admins_login_is_the_desks_page_with_its_strict_policy(client: Client) -> None:
    policy = client.get(reverse("admin:login"))["Content-Security-Policy"]
    assert "unsafe" not in policy


@pytest.mark.django_db
def test_the_admin_writes_dates_as_the_desk_does(admin_client: Client) -> None:
    User.objects.create(username="ada", last_login=datetime(2026, 11, 26, 17, 20, tzinfo=UTC))
    page = admin_client.get(reverse("admin:auth_user_changelist") + "?all").content.decode()
    listed = admin_client.get(reverse("admin:auth_user_change", args=[User.objects.get(username="ada").pk]))
    assert "2026-11-26 17:20" in page + listed.content.decode()
    assert "p.m." not in page + listed.content.decode()
