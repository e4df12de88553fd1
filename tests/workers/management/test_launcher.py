"""Who launches by a command."""

import pytest
from django.contrib.auth.models import User

from plumbline.spec.errors import InputError
from workers.management.launcher import VARIABLE, launcher

pytestmark = pytest.mark.django_db


def test_the_option_comes_before_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    ada, grace = (User.objects.create_user(name) for name in ("ada", "grace"))
    assert launcher(None) is None
    monkeypatch.setenv(VARIABLE, "ada")
    assert launcher(None) == ada
    assert launcher("grace") == grace


@pytest.mark.parametrize(("option", "told"), [("nobody", "--as names 'nobody'"), (None, f"{VARIABLE} names 'gone'")])
def test_an_account_that_is_not_there_or_not_active_is_refused(
    option: str | None, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    User.objects.create_user("gone", is_active=False)
    monkeypatch.setenv(VARIABLE, "gone")
    with pytest.raises(InputError, match=told):
        launcher(option)
