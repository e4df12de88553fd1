"""The states of runs and of their work, with one sentence each, and the allowed transitions."""

from django.db.models import IntegerChoices, TextChoices


class RunState(TextChoices):
    DRAFT = "draft", "Draft: written, not launched"
    PLANNING = "planning", "Planning: items are being laid out in shards"
    QUEUED = "queued", "Queued: waits for a worker"
    RUNNING = "running", "Running: shards are being executed"
    SUMMARISING = "summarising", "Summarising: measures are being computed"
    DONE = "done", "Done: records and measures are complete"
    FAILED = "failed", "Failed: see the error; finished shards are kept"
    CANCELLED = "cancelled", "Cancelled: stopped on request; finished shards are kept"


LIVE = (RunState.PLANNING, RunState.QUEUED, RunState.RUNNING, RunState.SUMMARISING)
RESUMABLE = (RunState.FAILED, RunState.CANCELLED)


class WorkState(TextChoices):
    WAITING = "waiting", "Waiting: what it depends on is not done"
    READY = "ready", "Ready: may be leased"
    DONE = "done", "Done"


class Priority(IntegerChoices):
    """The order in which workers take waiting runs: the lowest first."""

    INTERACTIVE = 0, "Interactive: somebody waits for it"
    SCHEDULED = 1, "Scheduled"
    BULK = 2, "Bulk: whenever there is nothing else to do"


class Queue(TextChoices):
    GPU = "gpu", "gpu: asks a model, on whichever device the worker has"
    CPU = "cpu", "cpu: summaries and comparisons, which ask no model"
