"""When a cron text is due, in the zone that it is read in; both changes of daylight saving of Berlin in 2027."""

import time
from datetime import UTC, datetime, timedelta

import pytest

from plumbline.audits.scheduling.cron import MOST_COUNTED, due, next_after
from plumbline.spec.errors import InputError

BERLIN = "Europe/Berlin"
SPRING, AUTUMN = datetime(2027, 3, 28, tzinfo=UTC), datetime(2027, 10, 31, tzinfo=UTC)


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def following(cron: str, zone: str, start: datetime, count: int) -> list[str]:
    """The next due times, as a clock in the zone shows them, with its offset."""
    found = []
    for _ in range(count):
        start = next_after(cron, zone, start)
        found.append(f"{start:%d %H:%M}")
    return found


def test_a_text_is_read_in_its_zone() -> None:
    assert next_after("0 6 * * 1", "UTC", utc("2027-01-01 12:00")) == utc("2027-01-04 06:00")
    assert next_after("0 6 * * 1", BERLIN, utc("2027-01-01 12:00")) == utc("2027-01-04 05:00")
    assert next_after("0 6 * * 1", BERLIN, utc("2027-07-01 12:00")) == utc("2027-07-05 04:00")


def test_the_next_time_is_later_than_the_moment_itself() -> None:
    assert next_after("0 6 * * *", "UTC", utc("2027-01-01 06:00")) == utc("2027-01-02 06:00")
    assert next_after("0 6 * * *", "UTC", utc("2027-01-01 05:59:59.999999")) == utc("2027-01-01 06:00")


def test_a_time_that_spring_leaves_out_is_due_right_after_it_and_once() -> None:
    # At 2:00 it is 3:00 in Berlin, which is 1:00 UTC.
    assert following("30 2 * * *", BERLIN, SPRING, 3) == ["28 01:00", "29 00:30", "30 00:30"]


def test_two_times_that_spring_leaves_out_are_one() -> None:
    assert following("0,30 2 * * *", BERLIN, SPRING, 2) == ["28 01:00", "29 00:00"]


def test_a_time_that_autumn_repeats_is_due_the_first_time_only() -> None:
    # 2:30 is 0:30 UTC, then, after 3:00 has become 2:00, 1:30 UTC.
    assert following("30 2 * * *", BERLIN, AUTUMN, 2) == ["31 00:30", "01 01:30"]


def test_within_the_repeated_hour_the_past_is_not_due_again() -> None:
    assert next_after("50 2 * * *", BERLIN, utc("2027-10-31 01:45")) == utc("2027-11-01 01:50")


def test_every_hour_is_every_hour_whatever_the_clocks_show() -> None:
    assert following("30 * * * *", BERLIN, SPRING, 3) == ["28 00:30", "28 01:30", "28 02:30"]
    assert following("30 * * * *", BERLIN, AUTUMN, 3) == ["31 00:30", "31 01:30", "31 02:30"]


@pytest.mark.parametrize("day", [SPRING, AUTUMN])
@pytest.mark.parametrize("cron", ["30 2 * * *", "*/20 2 * * *", "0,30 1-3 * * *", "59 * * * *", "0 0 * * *"])
def test_due_times_only_grow_around_a_change(day: datetime, cron: str) -> None:
    moments = [day - timedelta(hours=3) + timedelta(minutes=minute) for minute in range(0, 600, 7)]
    times = [next_after(cron, BERLIN, moment) for moment in moments]
    assert all(time > moment for time, moment in zip(times, moments, strict=True))
    assert times == sorted(times)


def test_what_is_due_is_the_last_time_and_how_many_were_missed_before() -> None:
    owed = due("0 6 * * *", "UTC", utc("2027-01-01 06:00"), utc("2027-01-04 06:00:01"))
    assert (owed.latest, owed.missed, owed.following) == (utc("2027-01-04 06:00"), 3, utc("2027-01-05 06:00"))


def test_a_time_that_was_not_missed_is_the_last_one_itself() -> None:
    seen = utc("2027-01-01 06:00")
    owed = due("0 6 * * *", "UTC", seen, seen)
    assert (owed.latest, owed.missed, owed.following) == (seen, 0, utc("2027-01-02 06:00"))


@pytest.mark.parametrize(
    ("cron", "latest", "next_one"),
    [
        ("* * * * *", "2027-07-01 12:34", "2027-07-01 12:35"),
        ("0 * * * *", "2027-07-01 12:00", "2027-07-01 13:00"),
        ("* * 3 * *", "2027-06-03 23:59", "2027-07-03 00:00"),
        ("* * 1 1 *", "2027-01-01 23:59", "2028-01-01 00:00"),
    ],
)
def test_years_of_missed_times_are_reported_quickly_and_counted_up_to_a_limit(
    cron: str, latest: str, next_one: str
) -> None:
    began = time.monotonic()
    owed = due(cron, "UTC", utc("2020-01-01 00:00"), utc("2027-07-01 12:34:56"))
    assert time.monotonic() - began < 20
    assert (owed.latest, owed.missed, owed.following) == (utc(latest), MOST_COUNTED, utc(next_one))


@pytest.mark.parametrize(
    ("cron", "fault"),
    [
        ("0 6 * *", "has 4 fields; write five"),
        ("0 0 6 * * 1", "has 6 fields; write five"),
        ("@daily", "has 1 fields; write five"),
        ("61 * * * *", "has a wrong minute"),
        ("0 6 30 2 *", "has a wrong day-of-month"),
        ("0 6 * * MOO", "has a wrong day-of-week"),
        ("0 6 * * 1#1/2", "has a wrong day-of-week"),
        ("0 0 */31 * 1#5", "is never due"),
        ("1," * 60 + "1 * * * *", "has 5 fields"),
    ],
)
def test_a_wrong_text_is_reported_with_its_fault(cron: str, fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        next_after(cron, "UTC", SPRING)


@pytest.mark.parametrize("zone", ["", "Mars/Phobos", "Europe", "../../etc/passwd", "/etc/passwd", "a\0b", "x" * 300])
def test_a_wrong_zone_is_reported(zone: str) -> None:
    with pytest.raises(InputError, match="there is no time zone"):
        next_after("0 6 * * *", zone, SPRING)
