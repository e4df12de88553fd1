"""Executing runs: claim one piece of work, do it, write it in one transaction, advance. Nothing here knows Celery.

Questions about models, which no run asks, are claimed and answered alike.
"""

from workers.execution.answering import answer_next
from workers.execution.steps import drive, serve
from workers.execution.worker import Report, Worker, preflight

__all__ = ["Report", "Worker", "answer_next", "drive", "preflight", "serve"]
