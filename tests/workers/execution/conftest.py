"""A scheduled plan on a real, tiny model, executed as a worker of the pool does it."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from transformers import BertForMaskedLM, BertTokenizerFast

from plumbline.audits import clock
from plumbline.audits.launching import launch_plan
from plumbline.audits.models import Launch, Outcome, Plan, Run, Schedule
from plumbline.audits.states import Priority
from tests.plumbline.audits.conftest import elsewhere  # noqa: F401  # a fixture
from tests.workers.execution.spec import ilps
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


@pytest.fixture
def schedule(db: None, model: Path, monkeypatch: pytest.MonkeyPatch) -> Schedule:
    """2 groups, 4 attributes, 10 frames: in several shards."""
    monkeypatch.setattr(cells, "ITEMS_PER_SHARD", 16)
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

    def come_due() -> Launch:
        run = launch_plan(Plan.objects.get(), priority=Priority.SCHEDULED)
        entry = Launch.objects.create(
            schedule=schedule, run=run, due_at=clock.now(), model=run.model, outcome=Outcome.LAUNCHED
        )
        execute(run)
        entry.refresh_from_db()
        return entry

    return come_due
