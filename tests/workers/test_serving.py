"""How the child of a worker ends when something is wrong with its process."""

from collections.abc import Callable
from typing import Never

import pytest

from plumbline import celery
from tests.ports import free_port
from workers import serving


class OutOfMemory:
    """A child that has no memory left, not even to give its work back."""

    def serve_a_while(self) -> None:
        raise MemoryError


def test_a_child_without_memory_ends_without_a_message_to_celery(monkeypatch: pytest.MonkeyPatch) -> None:
    """Celery's parent would go on without the thread that replaces its child."""

    def end(status: int) -> Never:
        raise SystemExit(status)

    monkeypatch.setattr(serving, "_child", OutOfMemory())
    monkeypatch.setattr("os._exit", end)
    with pytest.raises(SystemExit) as ended:
        serving.serve_a_while()
    assert ended.value.code == serving.SPENT_STATUS


class Scripted(serving.Child):
    """A child whose pieces of work are scripted: whether more waits, and what happens during each."""

    def __init__(self, pieces: list[Callable[[], bool]]) -> None:
        self.pieces, self.stopping = pieces, False

    def _serve(self, seconds: float) -> bool:
        return self.pieces.pop(0)()


def test_a_worker_goes_on_if_the_broker_goes_away_with_its_message(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broker_goes_away() -> bool:
        monkeypatch.setattr(celery.app.conf, "broker_write_url", f"amqp://guest@127.0.0.1:{free_port()}//")
        return True

    monkeypatch.setattr(serving, "queues", ("cpu",))
    monkeypatch.setattr(celery.app.conf, "broker_write_url", "memory://")
    waiting = Scripted([lambda: True, broker_goes_away, lambda: False, lambda: False])
    waiting.serve_a_while()
    assert len(waiting.pieces) == 1
    monkeypatch.setattr(celery.app.conf, "broker_write_url", "memory://")
    told = Scripted([lambda: True, lambda: True, lambda: False])
    told.serve_a_while()
    assert len(told.pieces) == 1
