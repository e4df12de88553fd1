"""The two tasks of the scheduler. They only call functions that work without Celery."""

from celery import shared_task

from plumbline.audits.scheduling import schedules
from plumbline.audits.sweep import sweep as sweep_now


@shared_task
def tick() -> None:
    """Launch what is due."""
    schedules.tick()


@shared_task
def sweep() -> None:
    """Recover lost work."""
    sweep_now()
