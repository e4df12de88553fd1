"""How long a start is waited for: on a busy machine the web process loads for more than a minute."""

import pytest

from plumbline.spec.errors import InputError
from plumbline.supervision import supervisor, watching
from tests.ports import free_port


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits of 0 and 1 s, and a port at which nobody answers."""
    monkeypatch.setattr(watching, "START_SECONDS", 0.0)
    monkeypatch.setattr(watching, "SLOW_START_SECONDS", 1.0)
    monkeypatch.setattr(watching, "_running_settings", lambda: {"HOST": "127.0.0.1", "PORT": str(free_port())})


@pytest.mark.parametrize(("state", "seconds"), [("RUNNING", 1), ("BACKOFF", 0)])
@pytest.mark.usefixtures("short")
def test_programs_that_run_have_more_time_than_one_that_is_down(
    monkeypatch: pytest.MonkeyPatch, state: str, seconds: int
) -> None:
    monkeypatch.setattr(supervisor, "programs", lambda: [{"name": "web", "statename": state}])
    with pytest.raises(InputError, match=rf"^web: not working after {seconds} s\."):
        watching.wait_until_working()


@pytest.mark.usefixtures("short")
def test_a_supervisor_without_programs_is_down(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "programs", list)
    with pytest.raises(InputError, match=r"^supervisord: not working after 0 s\."):
        watching.wait_until_working()
