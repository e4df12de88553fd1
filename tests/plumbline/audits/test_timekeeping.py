"""Celery beat that runs its tasks itself: how it stops."""

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from celery.beat import Service

from plumbline.audits.timekeeping import Timekeeper
from plumbline.celery import app


@pytest.fixture(autouse=True)
def _signals(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Afterwards a signal does what the tests expect, and the next scheduler is not stopping."""
    monkeypatch.setattr(Timekeeper, "is_stopping", False)
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def terminate_dropped() -> None:
    """The signal to stop, at a moment when Python drops what its handler raises."""
    with suppress(SystemExit):
        os.kill(os.getpid(), signal.SIGTERM)


class Idle(Timekeeper):
    def apply_entry(self, *_: Any, **__: Any) -> None:
        """Nothing is due."""


class StoppedAtWork(Timekeeper):
    def apply_entry(self, *_: Any, **__: Any) -> None:
        terminate_dropped()


class StoppedWhileMade(Idle):
    made = 0

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        StoppedWhileMade.made += 1
        if StoppedWhileMade.made == 1:
            terminate_dropped()


def service_with(scheduler: type[Timekeeper]) -> Service:
    """Celery's service, which heeds signals from now on."""
    service = Service(app=app, scheduler_cls=scheduler)
    app.Beat(quiet=True).install_sync_handler(service)
    return service


def test_a_stop_that_python_drops_ends_the_scheduler_after_its_round() -> None:
    with pytest.raises(SystemExit):
        service_with(StoppedAtWork).scheduler.tick()


def test_a_stop_that_python_drops_while_the_scheduler_is_made_ends_it_after_its_first_round() -> None:
    scheduler = service_with(StoppedWhileMade).scheduler
    assert StoppedWhileMade.made == 2
    with pytest.raises(SystemExit):
        scheduler.tick()


def test_a_stop_between_two_rounds_ends_it_at_once() -> None:
    service = service_with(Idle)
    assert service.scheduler.tick() > 0
    with pytest.raises(SystemExit):
        os.kill(os.getpid(), signal.SIGINT)
