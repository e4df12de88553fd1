"""manage.py doctor: check an installation, one line for each subject. The exit status is 1 if something is wrong."""

import sys
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.checks import WARNING, run_checks
from django.core.management.base import BaseCommand

from plumbline.desk.doctor import database, machine, single_sign_on
from plumbline.desk.doctor.line import Level, Line, note, wrong

OF_HTTPS = {"security.W004", "security.W008", "security.W012", "security.W016"}
PROXY = "put a proxy with TLS before the web process and set HTTPS=1, unless only this machine reaches it"
EXPLAINS = "'manage.py check --deploy' explains it"


class Command(BaseCommand):
    help = "Check this installation: one line for each subject with its remedy. Exit status 1 if something is wrong."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        lines = []
        for line in _lines():
            lines.append(line)
            self.stdout.write(str(line))
        sys.exit(int(any(line.level == Level.WRONG for line in lines)))


def _lines() -> Iterator[Line]:
    yield from machine.lines()
    yield from single_sign_on.lines()
    yield from database.lines()
    yield from _checks()


def _checks() -> Iterator[Line]:
    """Yield what Django's checks find, for a deployment as notes. The reader and HTTPS have lines of their own."""
    if not settings.HTTPS:
        yield note("https", "HTTPS is not set, so pages, passwords and cookies travel in plain text", PROXY)
    found = [check for check in run_checks(include_deployment_checks=True) if not check.is_silenced()]
    for check in found:
        if (check.id or "").startswith("results.") or (check.id in OF_HTTPS and not settings.HTTPS):
            continue
        make = wrong if check.level > WARNING else note
        yield make("check", f"{check.id} {' '.join(check.msg.split())}", " ".join((check.hint or EXPLAINS).split()))
