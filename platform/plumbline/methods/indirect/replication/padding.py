"""Whether padding texts change the scores: the worker's answer, or the state of the request."""

from collections.abc import Sequence
from typing import Any

from plumbline.audits import presence
from plumbline.audits.models import PaddingComparison, Run
from plumbline.audits.questions import known_padding
from plumbline.audits.states import Queue

LEVELS = PaddingComparison.LEVELS


def answer(runs: Sequence[Run]) -> list[dict[str, Any]]:
    """Return the rows of the worker's answer about these runs, or none."""
    found = known_padding(runs)
    return list(found.found) if found and found.answered else []


def state(runs: Sequence[Run]) -> dict[str, Any]:
    """Return the state for the page (`alone`, `unasked`, `waiting`, `failed` or `done`) and the rows."""
    found = known_padding(runs) if len(runs) > 1 else None
    if found is None:
        return {"padding": "unasked" if len(runs) > 1 else "alone"}
    if not found.answered:
        return {"padding": "waiting", "padding_nobody": presence.why_no_worker(Queue.GPU)}
    return {"padding": "failed" if found.error else "done", "padding_error": found.error, "differing": found.found}
