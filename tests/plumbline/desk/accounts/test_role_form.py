"""Roles of other people, changed on the page People and roles."""

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse

from plumbline.accounts.models import Activity, ActivityEntry
from plumbline.pages.roles import write_roles

pytestmark = [pytest.mark.django_db, pytest.mark.any_server]


def change(keeper: Client, person: User, *roles: str) -> int:
    chosen = Group.objects.filter(name__in=roles).values_list("pk", flat=True)
    return keeper.post(reverse("person_roles", args=[person.pk]), {"roles": list(chosen)}).status_code


def roles_of(person: User) -> list[str]:
    return sorted(person.groups.values_list("name", flat=True))


def test_an_admin_changes_the_roles_of_another_person_and_the_log_says_so(keeper: Client) -> None:
    write_roles()
    vera = User.objects.create_user("vera")
    assert change(keeper, vera, "viewer", "curator") == 302
    assert change(keeper, vera, "reviewer", "curator") == 302
    assert roles_of(vera) == ["curator", "reviewer"]
    told = ActivityEntry.objects.filter(activity=Activity.ROLE, account=vera.pk).values_list("about", flat=True)
    assert {"role viewer withdrawn", "role reviewer given"} <= set(told)
    page = " ".join(keeper.get(reverse("people")).content.decode().split())
    assert "vera has these roles now: curator, reviewer." in page


def test_a_person_without_a_role_is_said_to_see_nothing(keeper: Client) -> None:
    vera = User.objects.create_user("vera")
    assert change(keeper, vera) == 302
    assert "vera has no role now, and sees nothing." in keeper.get(reverse("people")).content.decode()


def test_nobody_changes_the_own_roles_those_of_a_superuser_or_to_a_role_that_is_not_there(keeper: Client) -> None:
    own = User.objects.get(pk=keeper.session["_auth_user_id"])
    before = roles_of(own)
    assert change(keeper, own) == 404
    assert roles_of(own) == before
    root = User.objects.create_superuser("root")
    assert change(keeper, root, "viewer") == 404
    vera = User.objects.create_user("vera")
    assert keeper.post(reverse("person_roles", args=[vera.pk]), {"roles": ["999999"]}).status_code == 404
