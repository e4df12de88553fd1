"""A run beside people, and a viewer who looks at it."""

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from plumbline.audits.models import Run
from plumbline.pages.roles import VIEWER
from tests.plumbline.analyses.alignment.judged import make_run


@pytest.fixture
def viewer(db: None) -> Client:
    user = User.objects.create_user("viewer")
    user.groups.add(Group.objects.get(name=VIEWER))
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def run(db: None) -> Run:
    return make_run()


@pytest.fixture
def alone(db: None) -> Run:
    """The same run without ratings."""
    return make_run(human=None)
