"""A scheduled plan on a real, tiny model, executed as a worker of the pool does it."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import torch
from transformers import BertForMaskedLM, BertTokenizerFast

from plumbline.audits import clock, life
from plumbline.audits.launching import launch_plan
from plumbline.audits.models import Launch, Outcome, Plan, Run, Schedule
from plumbline.audits.states import Priority, RunState
from tests.plumbline.audits.conftest import elsewhere  # noqa: F401  # a fixture
from tests.workers.execution.spec import ilps
from workers.analyses.alignment import ceiling
from workers.execution import Worker, drive
from workers.probes.cell_scores import cells

VERBS = ["are", "were", "should be", "may be", "can be", "will be", "must be", "have been", "seem", "look"]
Audit = Callable[[], Launch]


class Silent:
    """Nobody watches."""

    def takes(self, run_id: int, what: str) -> None: ...

    def loads(self, begins: bool) -> None: ...

    def stage(self, name: str, total: int, done: Callable[[], int]) -> None: ...

    def advance(self, items: int) -> None: ...


def execute(run: Run, owner: str = "") -> None:
    drive(run.pk, Worker("test", Silent(), owner=owner))


def resume(run: Run) -> None:
    """Take a run up again and execute it to its end."""
    life.take_up(run.pk, owner="test")
    drive(run.pk, Worker("test", Silent()))
    run.refresh_from_db()
    assert run.state == RunState.DONE, run.error


@pytest.fixture
def model(tmp_path: Path, tiny_folders: tuple[Path, Path]) -> Path:
    """A model whose weights may be exchanged behind its name."""
    return shutil.copytree(tiny_folders[0], tmp_path / "model")


@pytest.fixture(scope="session")
def changed(tiny_folders: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first tiny model, but that it reads "women" otherwise."""
    folder = shutil.copytree(tiny_folders[0], tmp_path_factory.mktemp("changed") / "model")
    weights = BertForMaskedLM.from_pretrained(folder)
    with torch.no_grad():
        weights.get_input_embeddings().weight[BertTokenizerFast.from_pretrained(folder).vocab["women"]] *= -3
    weights.save_pretrained(folder)
    return folder


@pytest.fixture
def exchange(model: Path, tiny_folders: tuple[Path, Path], changed: Path) -> Callable[[int], None]:
    """Put the model's own weights in place (0), or the changed ones (1)."""

    def put(which: int) -> None:
        shutil.rmtree(model)
        shutil.copytree((tiny_folders[0], changed)[which], model)

    return put


@pytest.fixture(autouse=True)
def few_halves(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test here looks at the agreement of the raters' halves, which takes longer than the audit of a tiny model."""
    monkeypatch.setattr(ceiling, "SPLITS", 10)


@pytest.fixture
def schedule(db: None, model: Path, monkeypatch: pytest.MonkeyPatch) -> Schedule:
    monkeypatch.setattr(cells, "ITEMS_PER_SHARD", 16)
    return schedule_of(model)


def schedule_of(model: Path) -> Schedule:
    """2 groups, 4 attributes, 10 frames: in several shards."""
    spec = ilps(
        model,
        attributes={"inline": ["poor", "wealthy", "dominant", "warm"]},
        templates={"inline": [f"{{Group.plural}} {verb} {{attribute}}." for verb in VERBS]},
    )
    plan = Plan.objects.create(name="plan", spec=spec)
    return Schedule.objects.create(plan=plan, cron="0 6 * * *", notify="a@example.org")


@pytest.fixture
def audit(schedule: Schedule) -> Audit:
    """The schedule comes due and its run is executed: the entry that came of it."""
    return lambda: come_due(schedule)


def come_due(schedule: Schedule) -> Launch:
    run = launch_plan(Plan.objects.get(pk=schedule.plan_id), priority=Priority.SCHEDULED)
    entry = Launch.objects.create(
        schedule=schedule, run=run, due_at=clock.now(), model=run.model, outcome=Outcome.LAUNCHED
    )
    execute(run)
    entry.refresh_from_db()
    return entry


@pytest.fixture(scope="module")
def audited(module_rows: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Path], int]]:
    """The schedule's model has these weights when it comes due: the run that came of it, which stays for the module."""
    folder = tmp_path_factory.mktemp("audited") / "model"

    def with_weights(weights: Path) -> int:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(weights, folder)
        run = come_due(due).run
        assert run is not None
        return run.pk

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cells, "ITEMS_PER_SHARD", 16)
        patch.setattr(ceiling, "SPLITS", 10)
        due = schedule_of(folder)
        yield with_weights
