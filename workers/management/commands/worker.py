"""manage.py worker: one worker of the pool, which runs until it is stopped."""

import os
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from plumbline import logs
from plumbline.audits.states import Queue
from plumbline.celery import app
from workers.management.lost_children import SpareTheNextChild


def queues(text: str) -> str:
    """Check names of queues, separated by commas, and return them. Raises ValueError for an unknown one."""
    if unknown := set(text.split(",")) - set(Queue.values):
        raise ValueError(f"no queue is called {sorted(unknown)[0]!r}; there are: {', '.join(Queue.values)}")
    return text


class Command(BaseCommand):
    help = "Execute runs until stopped. On SIGTERM the current work is given back and nothing is lost."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--queues", type=queues, default="gpu,cpu", help="gpu: queries to models; cpu: summaries and comparisons"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        logs.configure()
        app.steps["worker"].add(SpareTheNextChild)
        app.worker_main(
            [
                "--quiet", "worker", "--pool=prefork", "--concurrency=1", f"--queues={options['queues']}",
                f"--hostname={os.getpid()}@%h", "--without-gossip", "--without-mingle", "--without-heartbeat",
            ]
        )  # fmt: skip
