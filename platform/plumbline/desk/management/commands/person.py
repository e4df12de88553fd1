"""manage.py person: add, first, role, list, remove-second-factor."""

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
from django.urls import reverse

from plumbline.accounts import first_account, second_factor
from plumbline.accounts.sessions import end_sessions
from plumbline.pages.roles import ROLES, VIEWER
from plumbline.spec.errors import InputError
from plumbline.vocab.authors import os_user

ASK_NAME = "There is no account yet. Name of the first one (empty: print a link for the browser): "
LINK_SAYS = "There is no account yet. This link makes the first one. It works once, for 24 hours:"


class Command(BaseCommand):
    help = "Accounts and their roles. The command asks for passwords, or reads one line of stdin."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        for action, what in (("add", "create an account"), ("role", "give an account these roles, and no others")):
            one = actions.add_parser(action, help=what)
            one.add_argument("name")
            one.add_argument("--role", action="append", choices=list(ROLES), help=f"default: {VIEWER}; may be repeated")
        first = actions.add_parser("first", help="make the first account on a terminal, or print a link that makes it")
        first.add_argument("--address", default="http://127.0.0.1:8000/", help="where the desk answers")
        first.add_argument("--ask", action="store_true", help="ask for name and password, if this is a terminal")
        lost = actions.add_parser("remove-second-factor", help="let somebody log in who lost phone and recovery codes")
        lost.add_argument("name")
        actions.add_parser("list", help="all accounts with their roles")

    def handle(self, *args: Any, action: str, **options: Any) -> None:
        try:
            if action == "list":
                self._list()
            elif action == "first":
                self._first(options["address"], options["ask"])
            elif action == "remove-second-factor":
                _remove_second_factor(options["name"])
            else:
                roles = options["role"] or [VIEWER]
                _keep(action, options["name"], roles)
                self.stdout.write(f"{options['name']}: {', '.join(roles)}")
        except InputError as error:
            self.stderr.write(str(error))
            sys.exit(2)

    def _first(self, address: str, ask: bool) -> None:
        """Make the first account, or print its link. Where an account exists, do and print nothing."""
        if not first_account.is_missing():
            return
        if ask and sys.stdin.isatty() and (name := input(ASK_NAME).strip()):
            try:
                _make_first(name)
                self.stdout.write(f"The account {name!r} is ready. Log in with it at {address}")
                return
            except InputError as error:
                self.stderr.write(str(error))
        link = address.rstrip("/") + reverse("first_account", args=[first_account.new_token()])
        self.stdout.write(f"{LINK_SAYS}\n  {link}")

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


def _make_first(name: str) -> None:
    with transaction.atomic(), pghistory.context(command="person first", os_user=os_user()):
        first_account.create(_checked(name))


def _made(name: str) -> User:
    person = _checked(name)
    person.save()
    return person


def _checked(name: str) -> User:
    """Return a new account, not stored yet, with a password that the settings allow."""
    person = User(username=name)
    try:
        person.clean_fields(exclude=["password"])
        password = _asked()
        validate_password(password, person)
    except ValidationError as error:
        raise InputError(" ".join(error.messages)) from None
    person.set_password(password)
    return person


def _asked() -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    password = getpass.getpass("Password: ")
    if getpass.getpass("Again: ") != password:
        raise InputError("the two passwords differ; nothing was created.")
    return password
