"""Rows that are sent elsewhere: claimed, sent, tried again, given up.

A conditional UPDATE claims each, so that two schedulers do not both send it. If a process is killed after the receiver
took it, it is sent a second time rather than never. A row has attempts, retry_at (empty: nothing more is tried),
sent_at and error.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import F, QuerySet, Value

from plumbline.audits.clock import ClockTimestamp

KILLED = "its sender was killed each time"


@dataclass(frozen=True, slots=True)
class Manner:
    """How often a kind of row is tried, for how long a claim holds, and the pause after each attempt, from 1."""

    most_attempts: int
    claim: timedelta
    pause: Callable[[int], timedelta]


def claim(row: Any, manner: Manner) -> bool:
    """Claim a row and return whether it is ours. The attempt counts now, since the sender may be killed by it."""
    same = _rows(row).filter(sent_at__isnull=True, retry_at=row.retry_at)
    if row.attempts >= manner.most_attempts:
        same.update(retry_at=None, error=row.error or KILLED)
        return False
    return bool(same.update(attempts=F("attempts") + 1, retry_at=ClockTimestamp() + Value(manner.claim)))


def mark_sent(row: Any) -> None:
    """Store that a row was sent. That is true even if its claim had ended by then."""
    _rows(row).update(sent_at=ClockTimestamp(), retry_at=None, error="")


def mark_failed(row: Any, manner: Manner, why: str) -> bool:
    """Store why a claimed row could not be sent, and return whether it is given up."""
    attempt = row.attempts + 1
    ours = _rows(row).filter(attempts=attempt)
    if attempt >= manner.most_attempts:
        ours.update(retry_at=None, error=f"given up after {attempt} attempts: {why}")
        return True
    ours.update(retry_at=ClockTimestamp() + Value(manner.pause(attempt)), error=why)
    return False


def _rows(row: Any) -> QuerySet[Any]:
    found: QuerySet[Any] = type(row)._default_manager.filter(pk=row.pk)
    return found
