"""What a run waits for."""

import re

import pytest
from django.db.models import F
from django.utils import timezone

from plumbline.audits import leases, presence
from plumbline.audits.launching import launch
from plumbline.audits.models import Phase, RequestBatch, Role, Run, Shard, WorkerProcess
from plumbline.audits.presence import LOADING, NOBODY, Presence
from plumbline.audits.queue import queue_order, waiting
from plumbline.audits.states import Queue, WorkState
from plumbline.spec.audit import parse
from tests.plumbline.audits.conftest import SPEC


def worker(run: Run | None = None, doing: str = "") -> Presence:
    present = Presence("far:1:2", Role.WORKER, tuple(Queue.values), "cpu")
    present.says(state="working" if run else "idle", run_id=run and run.pk, doing=doing)
    present.tell()
    return present


@pytest.mark.usefixtures("curated")
def test_the_runs_before_it_are_named() -> None:
    runs = [launch(parse(SPEC)) for _ in range(6)]
    first, second, third, *_, last = runs
    worker(first)
    assert waiting.waits_for(first) == ""
    assert waiting.waits_for(second).startswith(
        f"for its turn: position 2 of 6, after run {first.pk}; the workers are busy with run {first.pk}"
        " until their turn ends"
    )
    assert f"position 3 of 6, after runs {first.pk} and {second.pk};" in waiting.waits_for(third)
    assert f"after runs {first.pk}, {second.pk}, {third.pk} and 2 more" in waiting.waits_for(last)
    assert waiting.positions() == {run.pk: number for number, run in enumerate(runs, 1) if run != first}


@pytest.mark.usefixtures("curated")
def test_a_run_that_is_next_says_what_is_known_of_idle_workers_and_foretells_nothing() -> None:
    run = launch(parse(SPEC))
    worker()
    told = waiting.waits_for(run)
    assert re.fullmatch(
        r"for its turn: position 1 of 1; 1 worker is free; its latest sign of life came \d+ s ago", told
    )


@pytest.mark.usefixtures("curated")
def test_a_worker_that_was_killed_a_moment_ago_is_not_called_idle() -> None:
    run = launch(parse(SPEC))
    worker()
    WorkerProcess.objects.update(seen_at=F("seen_at") - 2 * presence.EXPECTED)
    assert waiting.waits_for(run).endswith("position 1 of 1; " + waiting.SILENT)


def test_that_no_worker_is_alive_comes_before_its_position(run: Run) -> None:
    assert waiting.waits_for(run, NOBODY) == NOBODY


def test_a_model_that_is_loaded_is_named(run: Run, scoring: Phase) -> None:
    present = worker(run, f"shard 0{LOADING}")
    assert waiting.waits_for(run) == "for its model, which far:1:2 is loading"
    present.says(doing="shard 0")
    present.tell()
    assert waiting.waits_for(run) == ""


def test_a_batch_at_the_endpoint_is_named_while_its_worker_polls(run: Run, scoring: Phase) -> None:
    worker(run, "shard 0")
    Run.objects.filter(pk=run.pk).update(model="openai:http://host:1/v1#m")
    run.refresh_from_db()
    batch = RequestBatch.objects.create(run=run, requests=1245, answered=310, month="2026-11-01")
    assert waiting.waits_for(run) == ""
    RequestBatch.objects.update(endpoint_id="batch-1")
    told = f"submitted {timezone.localtime(batch.submitted_at):%Y-%m-%d %H:%M}: 310 of 1,245 done"
    assert waiting.waits_for(run) == f"for a batch of 1,245 requests at host:1, {told}"
    RequestBatch.objects.update(ended=True)
    assert waiting.waits_for(run) == ""


def test_a_lease_of_a_worker_without_a_heartbeat_is_named_with_its_end(run: Run, scoring: Phase) -> None:
    Shard.objects.filter(number__gt=0).update(state=WorkState.DONE)
    assert leases.take_next_shard(scoring, "gone:1:2")
    found = waiting.waits_for(run)
    assert found.startswith("until the lease of shard 0 ends, in ")
    assert found.endswith("at most: gone:1:2 holds it and shows no heartbeat")


def test_with_other_work_free_a_dead_workers_lease_holds_nobody_up(run: Run, scoring: Phase) -> None:
    assert leases.take_next_shard(scoring, "gone:1:2")
    assert waiting.waits_for(run).startswith("for its turn: position 1 of 1")


def test_an_ended_run_and_an_inline_run_wait_for_nothing(run: Run) -> None:
    for fields in ({"state": "done"}, {"owner": "host:1:2", "state": "queued"}):
        Run.objects.filter(pk=run.pk).update(**fields)
        run.refresh_from_db()
        assert waiting.waits_for(run) == ""
    assert queue_order.queue() == []
