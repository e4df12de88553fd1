"""The seconds of a shard, on which the pace of a run rests."""

import time
from typing import Any

import pytest

from plumbline.audits.launching import launch
from plumbline.audits.models import Run, Shard
from plumbline.audits.states import RunState
from plumbline.spec.audit import parse
from tests.workers.execution.conftest import Silent
from tests.workers.execution.spec import ilps
from workers.engine.loading import load_any
from workers.execution import worker
from workers.execution.worker_loop import drive

LOAD_SECONDS = 3.0

pytestmark = pytest.mark.django_db


def test_the_seconds_of_a_shard_are_without_the_load_of_its_model(model: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(*arguments: Any, **options: Any) -> Any:
        time.sleep(LOAD_SECONDS)
        return load_any(*arguments, **options)

    monkeypatch.setattr(worker, "load_any", slow)
    run = launch(parse(ilps(model)))
    drive(run.pk, one := worker.Worker("test", Silent(), owner=""))
    assert Run.objects.get(pk=run.pk).state == RunState.DONE
    assert one.loading >= LOAD_SECONDS
    assert all((shard.seconds or 0) < LOAD_SECONDS for shard in Shard.objects.filter(run=run))
