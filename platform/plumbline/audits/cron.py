"""Cron texts: when a schedule is due. Pure: the caller brings the time.

Changes of daylight saving are Debian cron's. A fixed time that a change leaves out is due right after it, and one that
a change repeats is due the first time only; where minute or hour begin with a star, time is what passes.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from cronsim import CronSim, CronSimError

from plumbline.spec.errors import InputError

LONGEST = 100
MOST_COUNTED = 1000
"""Missed times are counted up to here: a schedule of every minute that slept for a year must not take minutes."""
_LOOK_BACK = (timedelta(hours=1), timedelta(days=1), timedelta(days=31), timedelta(days=366))


@dataclass(frozen=True, slots=True)
class Due:
    """What a schedule owes: its latest due time, how many before that were missed, and when it is due next."""

    latest: datetime
    missed: int
    following: datetime


def next_after(cron: str, zone: str, moment: datetime) -> datetime:
    """The first due time after a moment, in UTC.

    Raises InputError for a text or a zone that cannot be read, and for a text that never comes due.
    """
    for time in _times_after(cron, zone, moment):
        return time
    raise InputError(f"the cron text {cron!r} never comes due: there is no such day.")


def due(cron: str, zone: str, seen: datetime, now: datetime) -> Due:
    """What is owed at `now` by a schedule that was due at `seen`: all due times since, collapsed to the last."""
    latest, missed = seen, 0
    for time in _times_after(cron, zone, seen):
        if time > now:
            return Due(latest, missed, time)
        latest, missed = time, missed + 1
        if missed == MOST_COUNTED:
            break
    return Due(_latest(cron, zone, latest, now), missed, next_after(cron, zone, now))


def _latest(cron: str, zone: str, known: datetime, now: datetime) -> datetime:
    """The last due time up to now, looked for close to now first; the known one when no look back finds a later."""
    for back in _LOOK_BACK:
        found = None
        for time in _times_after(cron, zone, max(known, now - back)):
            if time > now:
                break
            found = time
        if found:
            return found
    return known


def _times_after(cron: str, zone: str, moment: datetime) -> Iterator[datetime]:
    """Due times in UTC, each later than the one before.

    The library goes by the wall clock, which a change sets back: what it gives may come twice, or lie in the past.
    """
    last = moment.astimezone(UTC)
    for time in _parsed(cron, last.astimezone(_zone(zone))):
        found = time.astimezone(UTC)
        if found > last:
            last = found
            yield found


def _parsed(cron: str, start: datetime) -> CronSim:
    fields = len(cron.split())
    if fields != 5 or len(cron) > LONGEST:
        raise InputError(
            f"the cron text {cron[:LONGEST]!r} has {fields} fields; write five: minute, hour, day of month, month,"
            " day of week, such as '0 6 * * 1' for Mondays at 6."
        )
    try:
        return CronSim(cron, start)
    except (CronSimError, AssertionError, TypeError, ValueError) as error:  # the last three: odd mixes such as 1#1/2
        fault = str(error).removeprefix("Bad ") or "day-of-week"
        raise InputError(f"the cron text {cron!r} has a wrong {fault}; '0 6 * * 1' is Mondays at 6.") from None


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise InputError(f"there is no time zone {name!r}; write one as 'Europe/Berlin' or 'UTC'.") from None
