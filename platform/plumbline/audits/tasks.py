"""The two tasks of the scheduler: thin doors to functions that work without Celery."""

from celery import shared_task

from plumbline.audits import schedules
from plumbline.audits.sweep import sweep as sweep_now


@shared_task
def tick() -> None:
    """Launch what is due."""
    schedules.tick()


@shared_task
def sweep() -> None:
    """Find again what was lost."""
    sweep_now()
