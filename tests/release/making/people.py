"""The people of the release's installation: each with a role, a password, and a browser that is logged in."""

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

PASSWORD = "plumb-line-and-bob"
PEOPLE = {"ada": "admin", "cleo": "curator", "olga": "auditor", "rob": "reviewer", "vera": "viewer"}
GONE = "carl"
"""A curator whose account is deleted in the end: what he changed stays in the history."""


def add_people() -> None:
    for name, role in {**PEOPLE, GONE: "curator"}.items():
        with _typed(f"{PASSWORD}\n"):
            call_command("person", "add", name, "--role", role)


def person(name: str) -> User:
    return User.objects.get(username=name)


def browser(name: str) -> Client:
    """A client in which this person is logged in."""
    client = Client(SERVER_NAME="localhost")
    client.force_login(person(name), backend="django.contrib.auth.backends.ModelBackend")
    return client


def log_in() -> None:
    """One refused login and one that succeeds, so that both logs have an entry."""
    client = Client(SERVER_NAME="localhost")
    for password in ("a wrong guess", PASSWORD):
        client.post("/login/", {"username": "vera", "password": password})
    client.post("/login/", {"username": "nobody", "password": "a wrong guess"})


def remove_the_gone() -> None:
    User.objects.filter(username=GONE).delete()


@contextmanager
def _typed(text: str) -> Iterator[None]:
    before, sys.stdin = sys.stdin, io.StringIO(text)
    try:
        yield
    finally:
        sys.stdin = before
