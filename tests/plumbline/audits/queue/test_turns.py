"""Runs of one priority share the workers, and a worker keeps its model for a turn. Simulated with the real leases."""

from dataclasses import dataclass, field
from itertools import pairwise
from random import Random

import pytest
from django.contrib.auth.models import User

from plumbline.audits import leases, life
from plumbline.audits.launching import launch
from plumbline.audits.models import Run, Shard
from plumbline.audits.queue.fair_order import MOST_CREDIT_SECONDS
from plumbline.audits.queue.turns import LOADS_PER_TURN, Turns
from plumbline.audits.states import Priority, Queue, WorkState
from plumbline.spec.audit import parse
from tests.plumbline.audits.conftest import SPEC, lay_out

pytestmark = pytest.mark.usefixtures("curated")

TURN, PIECE, LOAD = 10.0, 2.0, 2.0


def planned(person: str, shards: int, digest: str = "one", priority: Priority = Priority.INTERACTIVE) -> Run:
    by, _ = User.objects.get_or_create(username=person)
    run = launch(parse(SPEC), by=by, priority=priority)
    Run.objects.filter(pk=run.pk).update(provenance={"digest": digest, "device": "cpu"})
    lay_out(run, shards)
    run.phases.filter(name="summary").delete()
    return run


@dataclass
class Simulated:
    """One worker that takes pieces by the turns and the leases, with a clock of its own."""

    now: float = 0.0
    load_seconds: float = LOAD
    loaded: str = ""
    unloaded: list[tuple[float, bool]] = field(default_factory=list)
    """When a model was unloaded, and whether runs on it waited."""
    served: dict[int, list[float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.turns = Turns(TURN, lambda: self.now)

    def step(self) -> int | None:
        chosen = self.turns.next((Queue.GPU,), "cpu", self.loaded)
        if chosen is None:
            return None
        run, began = Run.objects.get(pk=chosen.run), self.now
        self._load(run.provenance["digest"])
        self.served.setdefault(run.pk, []).append(self.now)
        phase = life.current_phase(run.pk)
        assert phase is not None
        lease = leases.take_next_shard(phase, "anna")
        assert lease is not None
        self.now += PIECE
        assert leases.finish(lease, PIECE)
        life.advance(run.pk)
        self.turns.worked(chosen, self.now - began)
        return run.pk

    def _load(self, digest: str) -> None:
        if self.loaded == digest:
            return
        if self.loaded:
            waits = Shard.objects.filter(run__provenance__digest=self.loaded, state=WorkState.READY).exists()
            self.unloaded.append((self.now, waits))
        self.loaded = digest
        self.now += self.load_seconds
        self.turns.loaded(self.load_seconds)

    def until_done(self) -> None:
        while self.step() is not None:
            pass


def test_short_runs_of_two_people_do_not_wait_for_a_long_run_to_end() -> None:
    long_run = planned("ada", 60)
    worker = Simulated()
    worker.step()
    shorts = [planned(("ben", "cleo")[number % 2], 1) for number in range(15)]
    asked_at = worker.now
    worker.until_done()
    waits = [worker.served[run.pk][0] - asked_at for run in shorts]
    assert max(waits) <= TURN + PIECE + 15 * PIECE
    assert max(waits) < worker.served[long_run.pk][-1] / 2


def test_a_long_run_goes_on_although_new_short_ones_keep_coming() -> None:
    long_run = planned("ada", 30)
    worker = Simulated()
    worker.step()
    for _ in range(60):
        planned("ben", 1)
        worker.step()
    times = worker.served[long_run.pk]
    gaps = [after - before for before, after in pairwise(times)]
    assert len(times) >= 15
    assert max(gaps) <= MOST_CREDIT_SECONDS + TURN + PIECE


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.trial) for seed in range(2, 6))])
def test_no_run_waits_longer_than_the_bound_and_no_model_is_unloaded_twice_in_a_turn(seed: int) -> None:
    random, worker = Random(seed), Simulated()  # noqa: S311 -- a simulation
    people = ["ada", "ben", "cleo"]
    launched: dict[int, float] = {}
    for _ in range(12):
        for _ in range(random.randrange(3)):
            run = planned(random.choice(people), random.choice((1, 1, 2, 12)), random.choice(("one", "two")))
            launched[run.pk] = worker.now
        for _ in range(random.randrange(1, 6)):
            worker.step()
    worker.until_done()
    # Each other person may first have their credit and a turn; the same person's other runs may have theirs.
    most = len(launched) * (TURN + PIECE + LOAD) + len(people) * MOST_CREDIT_SECONDS
    assert {
        run: times[0] - launched[run] for run, times in worker.served.items() if times[0] - launched[run] > most
    } == {}
    assert len(worker.served) == len(launched)
    needless = [moment for moment, waits in worker.unloaded if waits]
    assert all(after - before >= TURN for before, after in pairwise(needless))


def test_a_more_urgent_run_ends_a_turn() -> None:
    planned("ada", 5)
    worker = Simulated()
    worker.step()
    urgent = planned("ben", 1, "two")
    Run.objects.exclude(pk=urgent.pk).update(priority=Priority.BULK)
    assert worker.step() == urgent.pk


def test_within_a_turn_the_person_of_the_run_is_served_before_others_on_the_model() -> None:
    worker = Simulated()
    planned("ben", 1)
    others = planned("ada", 5)
    mine = planned("ben", 1)
    assert worker.step() != others.pk
    assert worker.step() == mine.pk
    assert worker.step() == others.pk


def test_within_a_turn_the_model_is_kept_though_another_waits_longer() -> None:
    worker = Simulated()
    planned("ben", 1, "two")
    waiting = planned("ada", 2, "one")
    kept = planned("cleo", 1, "two")
    worker.step()
    assert worker.step() == kept.pk
    assert worker.step() == waiting.pk


def test_a_model_that_loads_slowly_stays_loaded_for_longer() -> None:
    worker = Simulated(load_seconds=6.0)
    planned("ada", 60, "one")
    planned("ben", 60, "two")
    while worker.now < 130:
        worker.step()
    needless = [moment for moment, waits in worker.unloaded if waits]
    assert len(needless) >= 3
    assert all(after - before >= (1 + LOADS_PER_TURN) * 6 for before, after in pairwise(needless))


def test_nobody_saves_up_time() -> None:
    rested, busy = planned("ada", 100), planned("ben", 400)
    worker = Simulated()
    Run.objects.filter(pk=rested.pk).update(state="cancelled")
    for _ in range(50):
        worker.step()
    Run.objects.filter(pk=rested.pk).update(state="queued")
    since = worker.now
    while worker.now < since + 2 * MOST_CREDIT_SECONDS + 4 * TURN:
        worker.step()
    assert min(moment for moment in worker.served[busy.pk] if moment > since + TURN + PIECE) <= (
        since + MOST_CREDIT_SECONDS + 3 * TURN
    )
