"""The workers' tasks: thin doors to functions that work without Celery."""

from celery import shared_task

from workers import serving


@shared_task
def work() -> None:
    """Do the waiting work. The message names none, because the database knows the most urgent work."""
    serving.serve_a_while()
