"""A plan of the release before, run again after migrating, finds every answer in the records that it left."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.db.models import F

from plumbline.audits.keys import DECISIVE
from plumbline.audits.launching import launch_plan
from plumbline.audits.models import Plan, Run, Shard
from plumbline.audits.states import RunState
from tests.release import fingerprints
from tests.release.conftest import Release
from workers.engine.loading import Checkpoint, Dtype
from workers.execution import Worker, drive
from workers.execution.planning import STAGES
from workers.probes.protocol import AnyModel

# The tests of records read and write them on both servers.
pytestmark = [pytest.mark.any_server, pytest.mark.xdist_group("release")]

CHOSEN = ("seed", "params")
"""Of what decides answers, what the plan says; the rest are versions, models and machines, which may differ."""


class Unwatched:
    def takes(self, run_id: int, what: str) -> None: ...

    def loads(self, begins: bool) -> None: ...

    def stage(self, name: str, total: int, done: Callable[[], int]) -> None: ...

    def advance(self, items: int) -> None: ...


@dataclass
class Watched(Worker):
    """A worker that notes which models it loads."""

    asked: list[str] = field(default_factory=list)

    def model(self, checkpoint: Checkpoint, dtype: Dtype) -> AnyModel:
        self.asked.append(checkpoint.reference)
        return super().model(checkpoint, dtype)


@pytest.mark.sampled(by=["probe"])
def test_running_a_plan_again_asks_nothing(release: Release, plan: str, probe: str) -> None:
    """As long as the versions in the content keys are those of the release; else all is asked anew.

    To ask a plan of a large model anew takes half a minute: a trial runs those whose probe another plan has, too.
    """
    before = Run.objects.get(pk=release.expected["plans"][plan], probe=probe)
    worker = Watched("again", Unwatched(), owner="")
    run = launch_plan(Plan.objects.get(name=plan))
    drive(run.pk, worker)
    run.refresh_from_db()
    assert run.state == RunState.DONE, f"{run.error}\n{run.traceback}"
    if changed := _changed(before.provenance, run.provenance):
        assert worker.asked, f"answers of other versions were used: {changed}"
        pytest.skip(f"asked anew, because these differ: {', '.join(changed)}")
    assert not worker.asked
    assert not Shard.objects.filter(run=run, rows_reused__lt=F("size")).exists()
    _same_records(before, run, release.expected["columns"])


def _same_records(before: Run, run: Run, columns: dict[str, list[str]]) -> None:
    records = {table: names for table, names in columns.items() if table != "measure"}
    assert fingerprints.of_run(run, records)["tables"] == fingerprints.of_run(before, records)["tables"]


def _changed(before: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """Which versions differ, in any phase."""
    pairs = [(before, now), *((before[STAGES][name], now[STAGES][name]) for name in before.get(STAGES, {}))]
    names = [name for name in DECISIVE if name not in CHOSEN]
    return [
        f"{name} ({old[name]!r} then, {new[name]!r} now)"
        for name in names
        for old, new in pairs
        if old[name] != new[name]
    ]
