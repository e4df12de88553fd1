"""manage.py person: add, role, list, remove-second-factor. It creates the first account of an installation."""

import getpass
import sys
from argparse import ArgumentParser
from typing import Any

import pghistory
from django.contrib.auth.models import Group, User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand
from django.db import transaction

from plumbline.accounts import second_factor
from plumbline.accounts.sessions import end_sessions
from plumbline.pages.roles import ROLES, VIEWER
from plumbline.spec.errors import InputError
from plumbline.vocab.authors import os_user


class Command(BaseCommand):
    help = "Accounts and their roles. The command asks for passwords, or reads one line of stdin."

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        for action, what in (("add", "create an account"), ("role", "give an account these roles, and no others")):
            one = actions.add_parser(action, help=what)
            one.add_argument("name")
            one.add_argument("--role", action="append", choices=list(ROLES), help=f"default: {VIEWER}; may be repeated")
        lost = actions.add_parser("remove-second-factor", help="let somebody log in who lost phone and recovery codes")
        lost.add_argument("name")
        actions.add_parser("list", help="all accounts with their roles")

    def handle(self, *args: Any, action: str, **options: Any) -> None:
        try:
            if action == "list":
                self._list()
            elif action == "remove-second-factor":
                _remove_second_factor(options["name"])
            else:
                _keep(action, options["name"], options["role"] or [VIEWER])
        except InputError as error:
            self.stderr.write(str(error))
            sys.exit(2)

    def _list(self) -> None:
        for person in User.objects.order_by("username").prefetch_related("groups"):
            roles = ["superuser"] * person.is_superuser + sorted(group.name for group in person.groups.all())
            state = "" if person.is_active else "  (not active)"
            self.stdout.write(f"{person.username}  {', '.join(roles) or 'no role'}{state}")


def _keep(action: str, name: str, roles: list[str]) -> None:
    found = User.objects.filter(username=name).first()
    if (action == "add") == (found is not None):
        known = (
            "exists already; give it roles with `person role`"
            if found
            else "does not exist; create it with `person add`"
        )
        raise InputError(f"the account {name!r} {known}.")
    with transaction.atomic(), pghistory.context(command=f"person {action}", os_user=os_user()):
        person = found or _made(name)
        person.groups.set(Group.objects.filter(name__in=roles))


def _remove_second_factor(name: str) -> None:
    person = User.objects.filter(username=name).first()
    with transaction.atomic(), pghistory.context(command="person remove-second-factor", os_user=os_user()):
        if person is None or not second_factor.remove(person, by=None):
            raise InputError(f"the account {name!r} {'has no second factor' if person else 'does not exist'}.")
        end_sessions(person)


def _made(name: str) -> User:
    """Return a new account with a password that the settings allow."""
    person = User(username=name)
    try:
        person.clean_fields(exclude=["password"])
        password = _asked()
        validate_password(password, person)
    except ValidationError as error:
        raise InputError(" ".join(error.messages)) from None
    person.set_password(password)
    person.save()
    return person


def _asked() -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    password = getpass.getpass("Password: ")
    if getpass.getpass("Again: ") != password:
        raise InputError("the two passwords differ; nothing was created.")
    return password
