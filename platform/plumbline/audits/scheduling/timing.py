"""The times of a schedule in plain words, and as the cron text that the database holds. These functions are pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
DAILY, WEEKLY, MONTHLY, BY_CRON = "daily", "weekly", "monthly", "cron"
LAST_DAY = "L"
LARGEST_DAY = 28
"""The largest day of month to choose: every month has it. A cron text may name later ones."""

_CODES = {name[:3].upper(): number for number, name in enumerate(WEEKDAYS)}
_FIXED = re.compile(r"(\d{1,2}) (\d{1,2}) (\S+) \* (\S+)", re.ASCII)
_DAY = re.compile(r"(\w+)(?:-(\w+))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Timing:
    """How often, at which time ("06:00"), on which weekdays (0 is Monday) or on which day of the month ("1", "L")."""

    how_often: str
    at: str
    weekdays: tuple[int, ...] = ()
    day: str = ""


def cron_text(timing: Timing) -> str:
    """Return the cron text of a timing, such as "0 6 * * 1,3" for Mondays and Wednesdays at 6."""
    hour, minute = (int(part) for part in timing.at.split(":"))
    weekdays = ",".join(str((number + 1) % 7) for number in sorted(timing.weekdays))
    day = timing.day if timing.how_often == MONTHLY else "*"
    return f"{minute} {hour} {day} * {weekdays if timing.how_often == WEEKLY else '*'}"


def timing_of(cron: str) -> Timing | None:
    """Return the timing that a cron text says, or None if the words of `Timing` cannot say it."""
    found = _FIXED.fullmatch(" ".join(cron.split()))
    if not found or int(found[1]) > 59 or int(found[2]) > 23:
        return None
    at, day, weekday = f"{int(found[2]):02}:{int(found[1]):02}", found[3].upper(), found[4]
    if weekday != "*":
        weekdays = _weekdays(weekday)
        return Timing(WEEKLY, at, weekdays) if day == "*" and weekdays else None
    if day == "*":
        return Timing(DAILY, at)
    return Timing(MONTHLY, at, day=day.lstrip("0")) if _is_day(day) else None


def _is_day(day: str) -> bool:
    return day == LAST_DAY or (bool(re.fullmatch(r"\d{1,2}", day, re.ASCII)) and 1 <= int(day) <= LARGEST_DAY)


def _weekdays(text: str) -> tuple[int, ...]:
    """Return the weekdays of a cron field, in order, or () for a field that has more than days and ranges of days."""
    days: set[int] = set()
    for part in text.split(","):
        found = _DAY.fullmatch(part)
        ends = [_weekday(one) for one in found.groups() if one] if found else []
        if not ends or None in ends:
            return ()
        first, last = ends[0] or 0, ends[-1] or 0
        days.update(range(first, last + 1) if first <= last else ())
        if first > last:
            return ()
    return tuple(sorted(days))


def _weekday(text: str) -> int | None:
    if text.isdecimal():
        return (int(text) - 1) % 7 if int(text) <= 7 else None
    return _CODES.get(text.upper())


def sentence(cron: str, zone: str) -> str:
    """Return when a schedule is due, such as "every Monday at 06:00, Europe/Berlin"."""
    timing = timing_of(cron)
    return f"{_days(timing)} at {timing.at}, {zone}" if timing else f"by the cron text {cron}, {zone}"


def _days(timing: Timing) -> str:
    if timing.how_often == WEEKLY:
        if timing.weekdays == (0, 1, 2, 3, 4):
            return "every day from Monday to Friday"
        return f"every {_listed([WEEKDAYS[number] for number in timing.weekdays])}"
    if timing.how_often == MONTHLY:
        return f"on {'the last day' if timing.day == LAST_DAY else f'day {timing.day}'} of every month"
    return "every day"


def _listed(words: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))
