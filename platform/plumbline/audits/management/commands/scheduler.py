"""manage.py scheduler: launches what is due and finds what was lost, until it is told to stop."""

from typing import Any

from django.core.management.base import BaseCommand

from plumbline import logs
from plumbline.audits.models import Role
from plumbline.audits.ownership import this_process
from plumbline.audits.presence import Presence
from plumbline.audits.timekeeping import Timekeeper
from plumbline.celery import app


class Command(BaseCommand):
    help = "Keep time: launch due schedules, sweep. Two of them do no harm."

    def handle(self, *args: Any, **options: Any) -> None:
        logs.configure()
        # Celery heeds signals from its start on, and stops through its scheduler: what that needs is loaded before.
        Timekeeper(app=app, lazy=True)
        with Presence(this_process(), Role.SCHEDULER).shown():
            app.start(["--quiet", "beat"])
