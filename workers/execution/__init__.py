"""Execution of runs: claim one piece of work, do it, write it in one transaction, advance. Nothing here knows Celery.

`workers/engine` asks the models; this room decides on the requests and stores the answers. Requests about models that
belong to no run are claimed and answered in the same way.
"""

from workers.execution.answering import answer_next
from workers.execution.worker import Report, Worker, preflight
from workers.execution.worker_loop import drive, serve

__all__ = ["Report", "Worker", "answer_next", "drive", "preflight", "serve"]
