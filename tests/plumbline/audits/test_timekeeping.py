"""Celery beat that runs its tasks itself: how it stops."""

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

import pytest

from plumbline.audits.timekeeping import Timekeeper, keep_stops
from plumbline.celery import app


@pytest.fixture(autouse=True)
def _signals() -> Iterator[None]:
    """Celery's way with a signal to stop, and afterwards that of the tests."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    for number in before:
        signal.signal(number, _exit)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def _exit(*_: Any) -> None:
    raise SystemExit


class Dropping(Timekeeper):
    """A round in which the signal comes while Python drops what a handler raises."""

    schedule = {"sweep": None}  # noqa: RUF012

    def apply_entry(self, *_: Any, **__: Any) -> None:
        with suppress(SystemExit):
            os.kill(os.getpid(), signal.SIGTERM)


def test_a_stop_that_python_drops_ends_the_scheduler_after_its_round() -> None:
    keeper = Dropping(app=app, lazy=True)
    keep_stops(sender=SimpleNamespace(scheduler=keeper))
    with pytest.raises(SystemExit):
        keeper.tick()


def test_a_stop_between_two_rounds_ends_it_at_once() -> None:
    keep_stops(sender=SimpleNamespace(scheduler=Dropping(app=app, lazy=True)))
    with pytest.raises(SystemExit):
        os.kill(os.getpid(), signal.SIGINT)
