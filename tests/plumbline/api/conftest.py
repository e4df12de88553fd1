"""People with tokens, and a client that sends one."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from plumbline.api import tokens
from plumbline.api.models import Token
from plumbline.api.scopes import Scope


class Caller:
    """A client of the API with a token."""

    def __init__(self, token: Token, secret: str) -> None:
        self.token, self.secret = token, secret
        self.client = Client(raise_request_exception=False)

    def get(self, path: str, query: Any = None, **headers: str) -> Any:
        return self.client.get(f"/api/v1/{path}", query or {}, headers=self._with(headers))

    def post(self, path: str, body: Any, **headers: str) -> Any:
        to = f"/api/v1/{path}"
        return self.client.post(to, body, content_type="application/json", headers=self._with(headers))

    def _with(self, headers: dict[str, str]) -> dict[str, str]:
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        return {"Authorization": f"Bearer {self.secret}", **given}


Call = Callable[..., Caller]


@pytest.fixture
def person(db: None) -> Callable[[str], User]:
    """person("auditor"): an account with that role, called like it."""

    def made(role: str) -> User:
        user, _ = User.objects.get_or_create(username=role)
        user.groups.set(Group.objects.filter(name=role))
        return user

    return made


@pytest.fixture
def call(person: Callable[[str], User]) -> Call:
    """call("viewer", "read"): a client with a token of such a person; call(None, "read"): of a machine."""

    def made(role: str | None, *scopes: str, days: int = 30) -> Caller:
        user = person(role) if role else None
        return Caller(*tokens.make("a test", scopes or (Scope.READ,), days, person=user, by=user))

    return made
