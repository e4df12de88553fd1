"""manage.py plans: the plans that are part of Plumbline."""

from argparse import ArgumentParser
from typing import Any

import pghistory
from django.core.management.base import BaseCommand

from plumbline.audits import starter_plans
from plumbline.vocab.authors import os_user


class Command(BaseCommand):
    help = "Plans: audits that can be launched repeatedly."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True, metavar="starter")
        actions.add_parser("starter", help="create the plans that are part of Plumbline; existing ones stay")

    def handle(self, *args: Any, **options: Any) -> None:
        with pghistory.context(command="plans starter", os_user=os_user()):
            created = starter_plans.load_starter()
        self.stdout.write(f"starter plans: {len(created)} created" + "".join(f"; {name}" for name in created))
