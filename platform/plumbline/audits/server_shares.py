"""The limit of requests in flight at one server, which all workers share.

Each worker that asks a server renews its share in a short transaction, and no lock is held while requests are out. A
row keeps what its worker may still have in flight. Others get only what is left, so their sum exceeds no limit.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Value

from plumbline.audits.clock import ClockTimestamp, now
from plumbline.audits.models import AskedServer, ServerShare
from plumbline.audits.ownership import is_gone

LAPSE = timedelta(seconds=10)
"""A worker that has not renewed its share for this long loses it."""
SAME_FAULT = timedelta(seconds=2)
"""Workers that meet a busy server within this time lower its limit once."""
TURN_SECONDS = 10
"""After this long another worker is the first to get a share."""
FORGOTTEN = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Report:
    """What a worker wishes to have in flight, and what it met since its last report."""

    wish: int
    answered: int = 0
    busy: bool = False


def renew(address: str, worker: str, report: Report, lower: Callable[[int], int]) -> int:
    """Return how many requests a worker may have in flight at a server.

    `lower` is called with that number. From then on the worker sends no more than it, and returns what is in flight.
    """
    with transaction.atomic():
        server, _ = AskedServer.objects.select_for_update().get_or_create(
            address=address, defaults={"seen_at": ClockTimestamp()}
        )
        at = now()
        own, others = _shares(server, worker, at)
        limit = _limit(server, [report.wish, *(one.wish for one in others)], report, at)
        wishes = {worker: report.wish} | {one.worker: one.wish for one in others}
        left = limit - sum(one.held for one in others)
        share = min(deal(limit, wishes, int(at.timestamp()) // TURN_SECONDS)[worker], max(left, own.held))
        own.wish, own.held, own.seen_at = report.wish, max(share, lower(share)), at
        own.save()
    return share


def deal(limit: int, wishes: Mapping[str, int], turn: int) -> dict[str, int]:
    """Deal a limit out, one request at a time, to the workers that wish for more. `turn` says who begins."""
    first = turn % len(wishes)
    names = sorted(wishes)
    shares = dict.fromkeys([*names[first:], *names[:first]], 0)
    while round_ := [one for one in shares if shares[one] < wishes[one]][:limit]:
        for one in round_:
            shares[one] += 1
        limit -= len(round_)
    return shares


def forget() -> None:
    """Delete servers that nobody has asked for a day, with their shares."""
    AskedServer.objects.filter(seen_at__lt=ClockTimestamp() - Value(FORGOTTEN)).delete()


def _shares(server: AskedServer, worker: str, at: datetime) -> tuple[ServerShare, list[ServerShare]]:
    """Return the share of this worker and those of the others, and delete those that lapsed.

    If this worker's own has lapsed, perhaps nobody could reach the database. The others then have time to come back.
    """
    found = {one.worker: one for one in server.shares.all()}
    own = found.pop(worker, None) or ServerShare(server=server, worker=worker, seen_at=at)
    lapsed = [one for one in found.values() if is_gone(one.worker) or (_lapsed(one, at) and not _lapsed(own, at))]
    ServerShare.objects.filter(pk__in=[one.pk for one in lapsed]).delete()
    return own, [one for one in found.values() if one not in lapsed]


def _lapsed(share: ServerShare, at: datetime) -> bool:
    """A time in the future was written before the server's clock was set back."""
    return abs(at - share.seen_at) > LAPSE


def _limit(server: AskedServer, wishes: list[int], report: Report, at: datetime) -> int:
    """Return the limit of a server, after what a worker met there. It is never above the largest wish."""
    most = min(max(wishes), settings.SERVER_REQUESTS or max(wishes))
    limit = min(server.learnt or most, float(most))
    if not report.busy:
        limit = min(most, limit + report.answered / limit)
    elif server.lowered_at is None or abs(at - server.lowered_at) > SAME_FAULT:
        limit, server.lowered_at = max(1.0, limit / 2), at
    server.learnt, server.seen_at = limit if limit < most else None, at
    server.save()
    return int(limit)
