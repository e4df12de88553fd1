"""A cron text is said in plain words, and plain words give the cron text back."""

from datetime import UTC, datetime

import pytest

from plumbline.audits.scheduling import cron, timing
from plumbline.audits.scheduling.timing import DAILY, MONTHLY, WEEKLY, Timing

SAID = [
    ("0 6 * * *", "every day at 06:00, UTC", Timing(DAILY, "06:00")),
    ("30 23 * * 1", "every Monday at 23:30, UTC", Timing(WEEKLY, "23:30", (0,))),
    ("0 6 * * 3,0", "every Wednesday and Sunday at 06:00, UTC", Timing(WEEKLY, "06:00", (2, 6))),
    ("0 6 * * mon-wed", "every Monday, Tuesday and Wednesday at 06:00, UTC", Timing(WEEKLY, "06:00", (0, 1, 2))),
    ("5 6 * * 1-5", "every day from Monday to Friday at 06:05, UTC", Timing(WEEKLY, "06:05", (0, 1, 2, 3, 4))),
    ("0 6 15 * *", "on day 15 of every month at 06:00, UTC", Timing(MONTHLY, "06:00", day="15")),
    ("0 6 L * *", "on the last day of every month at 06:00, UTC", Timing(MONTHLY, "06:00", day="L")),
]
ONLY_CRON = (
    "*/5 * * * *",
    "0 6 1 * 1",
    "0 6 * 2 *",
    "0 6 31 * *",
    "0 6 * * 1#2",
    "0 6 * * 5L",
    "0 6,7 * * *",
    "0 6 LW * *",
)


@pytest.mark.parametrize(("text", "said", "expected"), SAID)
def test_a_cron_text_is_said_in_words(text: str, said: str, expected: Timing) -> None:
    assert timing.sentence(text, "UTC") == said
    assert timing.timing_of(text) == expected


@pytest.mark.parametrize(("text", "_", "expected"), SAID)
def test_words_give_a_cron_text_that_is_due_at_the_same_times(text: str, _: str, expected: Timing) -> None:
    made, start = timing.cron_text(expected), datetime(2026, 3, 1, tzinfo=UTC)
    assert cron.next_times(made, "UTC", start, 20) == cron.next_times(text, "UTC", start, 20)


@pytest.mark.parametrize("text", ONLY_CRON)
def test_what_words_cannot_say_is_shown_as_cron(text: str) -> None:
    assert timing.timing_of(text) is None
    assert timing.sentence(text, "UTC") == f"by the cron text {text}, UTC"


def test_next_times_keep_their_hour_when_daylight_saving_begins_and_ends() -> None:
    spring = cron.next_times("0 6 * * 0", "Europe/Berlin", datetime(2026, 3, 20, tzinfo=UTC), 2)
    autumn = cron.next_times("0 6 * * 0", "Europe/Berlin", datetime(2026, 10, 17, tzinfo=UTC), 2)
    assert [f"{time:%d %H:%M %z}" for time in spring] == ["22 06:00 +0100", "29 06:00 +0200"]
    assert [f"{time:%d %H:%M %z}" for time in autumn] == ["18 06:00 +0200", "25 06:00 +0100"]


def test_an_hour_that_spring_skips_is_due_right_after_the_change() -> None:
    (_, skipped, after) = cron.next_times("30 2 * * *", "Europe/Berlin", datetime(2026, 3, 28, tzinfo=UTC), 3)
    assert f"{skipped:%d %H:%M %z}, {after:%d %H:%M %z}" == "29 03:00 +0200, 30 02:30 +0200"
