"""How the child of a worker ends when something is wrong with its process."""

from typing import Never

import pytest

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
