"""Whether padding texts change the scores: what a worker found when somebody asked, and what to say until then."""

from collections.abc import Sequence
from typing import Any

from plumbline.audits import presence
from plumbline.audits.models import PaddingComparison, Run
from plumbline.audits.questions import known_padding
from plumbline.audits.states import Queue

LEVELS = PaddingComparison.LEVELS


def answer(runs: Sequence[Run]) -> list[dict[str, Any]]:
    """The rows of the worker's answer about these runs; empty where there is none."""
    found = known_padding(runs)
    return list(found.found) if found and found.answered else []


def state(runs: Sequence[Run]) -> dict[str, Any]:
    """What the page says: `alone`, `unasked`, `waiting`, `failed` or `done`, and the rows."""
    found = known_padding(runs) if len(runs) > 1 else None
    if found is None:
        return {"padding": "unasked" if len(runs) > 1 else "alone"}
    if not found.answered:
        return {"padding": "waiting", "padding_nobody": presence.why_nobody(Queue.GPU)}
    return {"padding": "failed" if found.error else "done", "padding_error": found.error, "differing": found.found}
