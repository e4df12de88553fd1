"""Cron texts, which say when a schedule is due. These functions are pure: the caller passes the time.

Daylight saving changes follow Debian's cron. A fixed time that the change skips is due right after it. A fixed time
that the change repeats is due once. If the minute or hour begins with a star, elapsed time counts.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from cronsim import CronSim, CronSimError

from plumbline.spec.errors import InputError

LONGEST = 100
MOST_COUNTED = 1000
"""The largest count of missed times. Counting a year of a schedule that runs every minute would take minutes."""
_LOOK_BACK = (timedelta(hours=1), timedelta(days=1), timedelta(days=31), timedelta(days=366))


@dataclass(frozen=True, slots=True)
class Due:
    """The state of a schedule: its latest due time, the number of missed times before that, and the next due time."""

    latest: datetime
    missed: int
    following: datetime


def next_after(cron: str, zone: str, moment: datetime) -> datetime:
    """Return the first due time after a moment, in UTC.

    Raises InputError for an invalid cron text or zone, and for a text that is never due.
    """
    for time in _times_after(cron, zone, moment):
        return time
    raise InputError(f"the cron text {cron!r} is never due: there is no such day.")


def next_times(cron: str, zone: str, moment: datetime, count: int) -> list[datetime]:
    """Return up to `count` due times after a moment, in the zone. Raises InputError as `next_after` does."""
    return [time.astimezone(find_zone(zone)) for time in islice(_times_after(cron, zone, moment), count)]


def due(cron: str, zone: str, seen: datetime, now: datetime) -> Due:
    """Return what is due at `now` for a schedule that was due at `seen`. Only the last missed time is launched."""
    latest, missed = seen, 0
    for time in _times_after(cron, zone, seen):
        if time > now:
            return Due(latest, missed, time)
        latest, missed = time, missed + 1
        if missed == MOST_COUNTED:
            break
    return Due(_latest(cron, zone, latest, now), missed, next_after(cron, zone, now))


def _latest(cron: str, zone: str, known: datetime, now: datetime) -> datetime:
    """Return the last due time up to now, or `known`. Short look-backs come first."""
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
    """Yield the due times in UTC, each later than the one before.

    The library uses wall-clock time, which a daylight saving change sets back. Its times may repeat or be in the past.
    """
    last = moment.astimezone(UTC)
    for time in _parsed(cron, last.astimezone(find_zone(zone))):
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
    except (
        CronSimError,
        AssertionError,
        TypeError,
        ValueError,
    ) as error:  # the last three come from texts such as 1#1/2
        fault = str(error).removeprefix("Bad ") or "day-of-week"
        raise InputError(f"the cron text {cron!r} has a wrong {fault}; '0 6 * * 1' is Mondays at 6.") from None


def find_zone(name: str) -> ZoneInfo:
    """Return the time zone of that name. Raises InputError if there is none."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise InputError(f"there is no time zone {name!r}; write one as 'Europe/Berlin' or 'UTC'.") from None
