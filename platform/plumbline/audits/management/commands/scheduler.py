"""manage.py scheduler: launches what is due and finds what was lost, until it is told to stop."""

from typing import Any

from django.core.management.base import BaseCommand

from plumbline import logs
from plumbline.audits.models import Role
from plumbline.audits.ownership import this_process
from plumbline.audits.presence import Presence
from plumbline.celery import app


class Command(BaseCommand):
    help = "Keep time: launch due schedules, sweep. Two of them do no harm."

    def handle(self, *args: Any, **options: Any) -> None:
        logs.configure()
        with Presence(this_process(), Role.SCHEDULER).shown():
            app.start(["--quiet", "beat"])
