"""People who judge findings, and a finished run with some."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from plumbline.audits.models import Run
from plumbline.findings.updating import update
from tests.plumbline.findings.audited import a_plan, a_run, difference

LogIn = Callable[..., Client]
NASTY = "<b>warm</b>"


@pytest.fixture
def log_in(db: None) -> LogIn:
    """Log a person of a role in, who is created at first."""

    def client(name: str, role: str = "reviewer") -> Client:
        person, _ = User.objects.get_or_create(username=name)
        person.groups.set(Group.objects.filter(name=role))
        made = Client()
        made.force_login(person)
        return made

    return client


@pytest.fixture
def run(db: None) -> Run:
    """A run that ada launched, with two findings."""
    ada, _ = User.objects.get_or_create(username="ada")
    made = a_run(difference(NASTY, 0.6), difference("=kind", -0.7), plan=a_plan(), created_by=ada)
    update(made)
    return made
