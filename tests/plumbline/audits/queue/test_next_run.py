"""Which run a worker serves next."""

from collections.abc import Collection

import pytest

from plumbline.audits import leases, life
from plumbline.audits.launching import launch
from plumbline.audits.models import MOST_ATTEMPTS, Phase, Run, Shard
from plumbline.audits.queue.next_run import Near, choose, with_free_work
from plumbline.audits.states import Priority, Queue, WorkState
from plumbline.spec.audit import parse
from tests.plumbline.audits.conftest import SPEC, lay_out

BOTH = (Queue.GPU, Queue.CPU)


def next_run(queues: Collection[str], device: str, near: Near | None = None) -> int | None:
    chosen = choose(queues, device, near)
    return chosen.run if chosen else None


def new(priority: Priority = Priority.INTERACTIVE, owner: str = "") -> Run:
    return launch(parse(SPEC), priority=priority, owner=owner)


@pytest.mark.usefixtures("curated")
def test_the_most_urgent_run_comes_first_whenever_it_was_launched() -> None:
    bulk, scheduled, interactive = map(new, (Priority.BULK, Priority.SCHEDULED, Priority.INTERACTIVE))
    assert next_run(BOTH, "cpu") == interactive.pk
    life.cancel(interactive.pk)
    assert next_run(BOTH, "cpu") == scheduled.pk
    life.cancel(scheduled.pk)
    assert next_run(BOTH, "cpu") == bulk.pk


@pytest.mark.usefixtures("curated")
def test_among_equals_the_last_run_then_the_loaded_model_then_the_oldest() -> None:
    first, second, third = new(), new(), new()
    Run.objects.update(provenance={"digest": "other", "device": "cpu"})
    Run.objects.filter(pk=second.pk).update(provenance={"digest": "abc", "device": "cpu"})
    assert next_run(BOTH, "cpu") == first.pk
    assert next_run(BOTH, "cpu", Near(digest="abc")) == second.pk
    assert next_run(BOTH, "cpu", Near(run=third.pk, digest="abc")) == third.pk


def test_a_run_planned_for_another_device_is_left_to_those_who_have_one(run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(provenance={"device": "cuda"})
    assert next_run(BOTH, "cpu") is None
    assert next_run(BOTH, "cuda") == run.pk


def test_a_summary_asks_no_model_and_is_for_any_device(run: Run, scoring: Phase) -> None:
    Run.objects.filter(pk=run.pk).update(provenance={"device": "cuda"})
    assert next_run(BOTH, "cpu") is None
    Shard.objects.update(state=WorkState.DONE)
    life.advance(run.pk)
    assert next_run([Queue.CPU], "cpu") == next_run(BOTH, "cpu") == run.pk


@pytest.mark.usefixtures("curated")
def test_the_run_of_a_process_is_nobody_elses() -> None:
    new(owner="host:1:2")
    assert next_run(BOTH, "cpu") is None


def test_shards_are_for_the_gpu_queue_and_the_summary_for_the_other(run: Run, scoring: Phase) -> None:
    assert (next_run([Queue.GPU], "cpu"), next_run([Queue.CPU], "cpu")) == (run.pk, None)
    Shard.objects.update(state=WorkState.DONE)
    life.advance(run.pk)
    assert (next_run([Queue.GPU], "cpu"), next_run([Queue.CPU], "cpu")) == (None, run.pk)


def test_a_run_whose_pieces_are_all_held_or_worn_out_has_no_free_work(run: Run) -> None:
    phase = lay_out(run, 2)
    assert leases.take_next_shard(phase, "anna")
    assert with_free_work(BOTH).exists()
    Shard.objects.filter(number=1).update(attempts=MOST_ATTEMPTS)
    assert not with_free_work(BOTH).exists()
