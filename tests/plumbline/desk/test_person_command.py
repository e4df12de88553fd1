from io import StringIO

import pytest
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import RequestFactory

from plumbline.pages.roles import has_role

pytestmark = pytest.mark.django_db
PASSWORD = "plumb-line-9"


def person(monkeypatch: pytest.MonkeyPatch, *arguments: str, password: str = PASSWORD) -> str:
    monkeypatch.setattr("sys.stdin", StringIO(f"{password}\n"))
    out = StringIO()
    call_command("person", *arguments, stdout=out)
    return out.getvalue()


def fault(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *arguments: str, password: str) -> str:
    with pytest.raises(SystemExit) as caught:
        person(monkeypatch, *arguments, password=password)
    assert caught.value.code == 2
    return capsys.readouterr().err


def test_an_account_is_made_with_its_role_and_can_log_in(monkeypatch: pytest.MonkeyPatch) -> None:
    person(monkeypatch, "add", "ada", "--role", "curator", "--role", "auditor")
    ada = User.objects.get()
    assert sorted(group.name for group in ada.groups.all()) == ["auditor", "curator"]
    assert not ada.is_superuser
    assert authenticate(RequestFactory().post("/login/"), username="ada", password=PASSWORD) == ada
    assert person(monkeypatch, "list") == "ada  auditor, curator\n"


def test_without_a_role_named_it_is_a_viewer(monkeypatch: pytest.MonkeyPatch) -> None:
    person(monkeypatch, "add", "ada")
    assert has_role(User.objects.get())


def test_roles_are_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    person(monkeypatch, "add", "ada", "--role", "admin")
    person(monkeypatch, "role", "ada", "--role", "reviewer")
    assert [group.name for group in User.objects.get().groups.all()] == ["reviewer"]


@pytest.mark.parametrize(
    ("arguments", "password", "said"),
    [
        (["add", "grace"], "12345678", "too common"),
        (["add", "grace"], "", "too short"),
        (["add", "gr ace"], PASSWORD, "valid username"),
        (["add", "ada"], PASSWORD, "person role"),
        (["role", "nobody"], PASSWORD, "person add"),
    ],
)
def test_what_is_wrong_makes_nothing_and_says_what_to_do(
    arguments: list[str],
    password: str,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    person(monkeypatch, "add", "ada")
    assert said in fault(capsys, monkeypatch, *arguments, password=password)
    assert User.objects.count() == 1
