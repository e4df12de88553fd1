"""An admin, a viewer, and mails that tests can read."""

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from plumbline.accounts import mail

PASSWORD = "plumb-line-9"


def person(name: str, role: str) -> User:
    user = User.objects.create_user(name, f"{name}@example.org", PASSWORD)
    user.groups.set([Group.objects.get(name=role)])
    return user


@pytest.fixture
def keeper(db: None) -> Client:
    """A browser in which an admin is logged in."""
    client = Client()
    client.force_login(person("keeper", "admin"))
    return client


@pytest.fixture
def ada(db: None) -> User:
    return person("ada", "viewer")


def all_sent() -> None:
    """Return when each mail that was to be sent beside a request has been sent."""
    mail.send_later(lambda: None).result()
