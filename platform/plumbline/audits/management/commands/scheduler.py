"""manage.py scheduler: launches due schedules and recovers lost work, until it is stopped."""

from typing import Any

from django.core.management.base import BaseCommand

from plumbline import logs
from plumbline.audits.models import Role
from plumbline.audits.ownership import this_process
from plumbline.audits.presence import Presence
from plumbline.audits.timekeeping import Timekeeper
from plumbline.celery import app


class Command(BaseCommand):
    help = "Launch due schedules and sweep. Several schedulers may run at once."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        logs.configure()
        # Celery handles signals from its start and stops through its scheduler, so load the scheduler's imports first.
        Timekeeper(app=app, lazy=True)
        with Presence(this_process(), Role.SCHEDULER).shown():
            app.start(["--quiet", "beat"])
