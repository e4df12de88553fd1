"""Runs that end in every way: done, failed for the user's fault and for ours, cancelled, and one that waits."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import pghistory

from plumbline.audits.launching import launch, launch_plan
from plumbline.audits.models import Plan, Run
from plumbline.audits.ownership import this_process
from plumbline.audits.states import RunState
from plumbline.results import copying, partitions
from plumbline.spec.audit import parse
from plumbline.spec.yaml_file import read_yaml
from tests.release.making.people import person
from workers.execution import Worker, answer_next, drive
from workers.probes.cell_scores import cells

PLANS = Path(__file__).parent / "plans"
ITEMS_PER_SHARD = 16
"""Of the runs that stop midway: some of their shards are done then."""
LARGE = 100
"""Planned records from which a run of `in_its_own_partition` gets a partition."""


class Unwatched:
    """Nobody watches; `interrupts`: Ctrl-C comes with the shard of that number."""

    def __init__(self, interrupts: int = 0) -> None:
        self.shards, self.interrupts = 0, interrupts

    def takes(self, run_id: int, what: str) -> None:
        self.shards += "shard" in what
        if self.interrupts and self.shards >= self.interrupts:
            raise KeyboardInterrupt

    def loads(self, begins: bool) -> None: ...

    def stage(self, name: str, total: int, done: Callable[[], int]) -> None: ...

    def advance(self, items: int) -> None: ...


def pool_worker() -> Worker:
    return Worker("worker of the release", Unwatched(), owner="")


def make_plans() -> list[str]:
    """A plan of each file, written by Olga, an auditor; their names."""
    made = []
    with pghistory.context(user=person("olga").pk, username="olga"):
        for path in sorted(PLANS.glob("*.yaml")):
            data = read_yaml(path)
            opening = path.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
            made.append(Plan.objects.create(name=parse(data).name, spec=data, description=opening).name)
    return made


def execute(run: Run) -> Run:
    """As a worker of the pool does it. AssertionError where the run does not end well."""
    drive(run.pk, pool_worker())
    run.refresh_from_db()
    assert run.state == RunState.DONE, f"{run}: {run.state}: {run.error}\n{run.traceback}"
    return run


def execute_plan(name: str, model: str = "") -> Run:
    return execute(launch_plan(Plan.objects.get(name=name), person("olga"), model=model))


def answer_questions() -> None:
    """Whatever was asked of workers: checks, spellings, comparisons, maps."""
    worker = pool_worker()
    while answer_next(worker, lambda _: None):
        pass


def spec_of(plan: str, /, **changes: Any) -> dict[str, Any]:
    """That of a plan, changed."""
    spec: dict[str, Any] = Plan.objects.get(name=plan).spec
    return {**spec, **changes}


def fail_for_the_users_fault() -> Run:
    """A word that the model's tokenizer does not know at all."""
    return _inline(spec_of("Words and groups", name="A word of runes", attributes={"inline": ["kind", "ᚠᚢᚦ"]}))


def fail_for_our_fault() -> Run:
    """A program that breaks with its second shard: the records of the first stay."""
    with _small_shards(), mock.patch.object(copying, "copy_in", _breaks_at_the_second(copying.copy_in)):
        return _inline(spec_of("Words and groups", name="A program that breaks"))


def cancel_midway() -> Run:
    with _small_shards():
        run = launch(parse(spec_of("Words and groups", name="Interrupted", seed=7)), owner=this_process(), reuse=False)
        try:
            drive(run.pk, Worker(this_process(), Unwatched(interrupts=3)))
        except KeyboardInterrupt:
            run.refresh_from_db()
    return run


def leave_waiting() -> Run:
    """Launched, and no worker has come by."""
    return launch(parse(spec_of("Words and groups", name="Still waiting", seed=8)), by=person("olga"))


@contextmanager
def in_its_own_partition() -> Iterator[None]:
    with mock.patch.object(partitions, "OWN_PARTITION_FROM", LARGE):
        yield


def _inline(spec: dict[str, Any]) -> Run:
    run = launch(parse(spec), owner=this_process(), reuse=False)
    drive(run.pk, Worker(this_process(), Unwatched()))
    run.refresh_from_db()
    return run


@contextmanager
def _small_shards() -> Iterator[None]:
    with mock.patch.object(cells, "ITEMS_PER_SHARD", ITEMS_PER_SHARD):
        yield


def _breaks_at_the_second(load: Callable[..., int]) -> Callable[..., int]:
    calls = []

    def copy_in(*arguments: Any) -> int:
        calls.append(arguments)
        if len(calls) > 1:
            raise RuntimeError("the program breaks here, as the release's making wants it")
        return load(*arguments)

    return copy_in
