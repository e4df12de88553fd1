"""Executing runs: claim one piece of work, do it, write it in one transaction, advance. Nothing here knows Celery."""

from workers.execution.steps import drive, serve
from workers.execution.worker import Report, Worker, preflight

__all__ = ["Report", "Worker", "drive", "preflight", "serve"]
