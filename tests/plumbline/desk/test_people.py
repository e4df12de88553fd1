import re

import pytest
from axes.models import AccessAttempt
from django.contrib import admin
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse
from unfold.admin import ModelAdmin

from plumbline.desk.admin_theme import UNFOLD
from plumbline.vocab.kinds import KINDS

pytestmark = pytest.mark.django_db

REACHED_FROM_OTHERS = {
    *(kind.entry_model._meta.label_lower for kind in KINDS.values()),  # from their lists
    "audits.shard",  # from its run
    "vocab.bankitem",  # from its bank
    "audits.modelcheck",  # from the models under audit
    "audits.spellingrequest",  # from the admin's first page; the desk shows what workers answered
    "axes.accesslog", "axes.accessfailurelog",  # from the admin's first page
}  # fmt: skip


def test_every_page_of_the_admin_has_its_skin() -> None:
    assert [page for page in admin.site._registry.values() if not isinstance(page, ModelAdmin)] == []


def test_every_list_page_of_the_admin_is_shown(admin_client: Client) -> None:
    for model in admin.site._registry:
        page = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        assert admin_client.get(page).status_code == 200, page


def test_an_admin_adds_an_account_and_gives_it_a_role(admin_client: Client) -> None:
    fields = {"username": "grace", "password1": "plumb-line-9", "password2": "plumb-line-9", "usable_password": "true"}
    assert admin_client.post(reverse("admin:auth_user_add"), fields).status_code == 302
    grace = User.objects.get(username="grace")
    page = reverse("admin:auth_user_change", args=[grace.pk])
    role = Group.objects.get(name="curator")
    joined = {"date_joined_0": "2026-01-01", "date_joined_1": "00:00:00"}
    chosen = {"username": "grace", "is_active": "on", "groups": role.pk, **joined}
    assert admin_client.post(page, chosen).status_code == 302
    assert grace.has_perm("vocab.change_name")
    assert "curator" in admin_client.get(reverse("admin:auth_user_changelist")).content.decode()


def test_roles_of_accounts_are_never_called_groups(admin_client: Client, admin_user: User) -> None:
    role = Group.objects.get(name="curator")
    pages = [reverse(f"admin:auth_{one}_changelist") for one in ("group", "user")]
    pages += [
        reverse("admin:auth_group_change", args=[role.pk]),
        reverse("admin:auth_user_change", args=[admin_user.pk]),
    ]
    for page in pages:
        content = re.search(r'<div id="content".*', admin_client.get(page).content.decode(), re.DOTALL)
        assert content, page
        words = re.sub(r"<(script|select)\b.*?</\1>|<[^>]*>", " ", content[0], flags=re.DOTALL)
        assert not re.findall(r".{20}\b[Gg]roups?\b", words), page


def test_a_lock_is_opened_by_removing_the_attempt(admin_client: Client) -> None:
    attempt = AccessAttempt.objects.create(username="grace", ip_address="127.0.0.1", failures_since_start=5)
    chosen = {"action": "delete_selected", "_selected_action": [attempt.pk], "post": "yes"}
    admin_client.post(reverse("admin:axes_accessattempt_changelist"), chosen)
    assert not AccessAttempt.objects.exists()


@pytest.mark.parametrize(("role", "seen", "hidden"), [
    ("viewer", "vocab_namelist", "auth_user"),
    ("curator", "vocab_namelist", "axes_accessattempt"),
    ("admin", "auth_user", ""),
])  # fmt: skip
def test_the_sidebar_offers_what_a_role_may_see(client: Client, role: str, seen: str, hidden: str) -> None:
    person = User.objects.create_user(role, password="x")
    person.groups.add(Group.objects.get(name=role))
    client.force_login(person)
    shown = client.get(reverse("admin:index")).content.decode()
    assert reverse(f"admin:{seen}_changelist") in shown
    assert not hidden or reverse(f"admin:{hidden}_changelist") not in shown


def test_the_sidebar_leads_to_every_list_that_no_other_page_leads_to() -> None:
    links = {str(link["link"]) for part in UNFOLD["SIDEBAR"]["navigation"] for link in part["items"]}
    shown = {model._meta.label_lower for model in admin.site._registry} - REACHED_FROM_OTHERS
    missing = [label for label in shown if reverse(f"admin:{label.replace('.', '_')}_changelist") not in links]
    assert missing == []


def test_the_skin_runs_no_inline_script(admin_client: Client) -> None:
    policy = admin_client.get(reverse("admin:index")).headers["Content-Security-Policy"]
    scripts = next(part for part in policy.split(";") if part.strip().startswith("script-src"))
    assert "'unsafe-inline'" not in scripts


@pytest.fixture
def keeper(client: Client) -> Client:
    """Logged in with the role admin, which keeps accounts, and not as a superuser."""
    person = User.objects.create_user("keeper", password="x")
    person.groups.add(Group.objects.get(name="admin"))
    client.force_login(person)
    return client


def test_who_keeps_accounts_makes_nobody_a_superuser(keeper: Client) -> None:
    person = User.objects.get(username="keeper")
    joined = {"date_joined_0": "2026-01-01", "date_joined_1": "00:00:00"}
    fields = {"username": "keeper", "is_active": "on", "is_superuser": "on", "first_name": "Grace", **joined}
    assert keeper.post(reverse("admin:auth_user_change", args=[person.pk]), fields).status_code == 302
    person.refresh_from_db()
    assert (person.first_name, person.is_superuser) == ("Grace", False)


def test_a_superusers_account_is_changed_by_superusers_alone(keeper: Client, admin_user: User) -> None:
    change = reverse("admin:auth_user_change", args=[admin_user.pk])
    password = reverse("admin:auth_user_password_change", args=[admin_user.pk])
    assert keeper.post(change, {"username": "mine"}).status_code == 403
    assert keeper.post(password, {"password1": "plumb-line-9", "password2": "plumb-line-9"}).status_code == 403
    chosen = {"action": "delete_selected", "_selected_action": [admin_user.pk], "post": "yes"}
    keeper.post(reverse("admin:auth_user_changelist"), chosen)
    assert User.objects.filter(username=admin_user.username, is_superuser=True).exists()


PLACES = [("overview", 'class="foot"'), ("password_change", 'class="stacked"'), ("admin:index", 'id="home-people"')]
"""Pages, and what stands before their link to the page of people."""


@pytest.mark.parametrize(("name", "before"), PLACES)
def test_who_may_give_roles_finds_the_page_of_people(admin_client: Client, name: str, before: str) -> None:
    page = admin_client.get(reverse(name)).content.decode()
    assert f'href="{reverse("people")}"' in page.partition(before)[2]


@pytest.mark.parametrize("name", [name for name, _ in PLACES])
def test_others_are_led_to_no_page_of_people(client: Client, name: str) -> None:
    reviewer = User.objects.create_user("grace")
    reviewer.groups.add(Group.objects.get(name="reviewer"))
    client.force_login(reviewer)
    assert f'href="{reverse("people")}"' not in client.get(reverse(name)).content.decode()
