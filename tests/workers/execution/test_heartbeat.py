"""A heartbeat that cannot reach the database says so."""

import pytest
from django.db import OperationalError
from structlog.testing import capture_logs

from plumbline.audits import leases
from workers.execution import heartbeat


class Held:
    """A lease of which only its name matters."""

    what = "shard 3 of run 5"


def test_an_outage_is_logged_once_with_what_follows_and_so_is_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter([OperationalError("no\nroute"), OperationalError("no route"), True, True, OperationalError("again")])

    def renew(_: leases.Lease) -> bool:
        answer = next(answers)
        if isinstance(answer, OperationalError):
            raise answer
        return True

    monkeypatch.setattr(leases, "renew", renew)
    hold = heartbeat.Hold(Held())  # type: ignore[arg-type]
    with capture_logs() as logged:
        for _ in range(5):
            heartbeat._renew(hold)
    assert [(one["log_level"], one.get("error")) for one in logged] == [
        ("warning", "no route"), ("info", None), ("warning", "again")
    ]  # fmt: skip
    assert logged[0]["lease"] == "shard 3 of run 5"
    assert "tries again" in logged[0]["then"]
    assert not hold.lost.is_set()
