"""The workers' tasks: thin doors to functions that work without Celery."""

from celery import shared_task

from workers import serving


@shared_task
def work() -> None:
    """Do what waits. The message names nothing: what is most urgent stands in the database."""
    serving.serve_a_while()
