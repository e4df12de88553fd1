"""The life of questions to workers: asked, leased like all work, answered once. No message is needed for any of it."""

from typing import Any

import structlog
from django.contrib.auth.models import User

from plumbline.audits import asked, hints, leases
from plumbline.audits.clock import ClockTimestamp
from plumbline.audits.models import (
    MOST_ATTEMPTS,
    ComparisonRequest,
    ModelCheck,
    ModelUnderAudit,
    Question,
    Run,
    SpellingRequest,
)
from plumbline.audits.states import WorkState
from plumbline.audits.words import parts_of

WORN_OUT = (
    f"a worker began it {MOST_ATTEMPTS} times and never ended: it was killed, most likely for its memory;"
    " see the workers' logs, then ask again"
)

log = structlog.get_logger(__name__)


def ask_check(model: ModelUnderAudit, by: User | None = None) -> bool:
    """Ask what the model is and whether it loads; False when that is asked already and not yet answered."""
    return _ask(ModelCheck, by, model=model)


def ask_spelling(model: ModelUnderAudit, kind: str, slug: str, by: User | None = None) -> bool:
    """Ask how the model's tokenizer spells the words of a list; False when that is asked already.

    Raises InputError for a list that is not there or empty, or of a kind without words of its own.
    """
    parts_of(kind, slug)
    return _ask(SpellingRequest, by, model=model, kind=kind, slug=slug)


def ask_comparison(first: Run, second: Run, by: User | None = None) -> bool:
    """Ask for the second run minus the first; False when that is asked already and not yet answered."""
    return _ask(ComparisonRequest, by, first=first, second=second)


def _ask(question: type[Question], by: User | None, **about: Any) -> bool:
    """The database keeps one open question about the same; two who ask at once ask one."""
    ready = {**about, "state": WorkState.READY}
    is_new: bool = question._default_manager.get_or_create(**ready, defaults={"asked_by": by})[1]
    hints.wake_later()
    return is_new


def take_next(worker: str) -> leases.Lease | None:
    """Lease the oldest open question, checks first; None when there is none."""
    return next(filter(None, (leases.take_first(rows, worker) for rows in asked.of_each_kind())), None)


def answer(lease: leases.Lease, seconds: float, **found: Any) -> bool:
    """In a transaction: end the question with what was found. False when this very lease has done so already.

    LeaseLostError when it is somebody else's by now.
    """
    return leases.finish(lease, seconds) and bool(lease.same().update(**found))


def look_after() -> None:
    """Free what the dead held; end what was begun too often. Safe to repeat, by anyone at any time."""
    for rows in asked.of_each_kind():
        leases.free_of_the_gone(rows)
        ended = rows.filter(leases.spent()).update(state=WorkState.DONE, done_at=ClockTimestamp(), error=WORN_OUT)
        if ended:
            log.error("questions that kill their workers were ended", questions=ended)
