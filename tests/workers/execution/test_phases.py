"""A run of several phases: one model generates, another one is asked, each phase planned from the one before."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from plumbline.audits import life
from plumbline.audits.launching import launch
from plumbline.audits.models import Phase, Run, Shard
from plumbline.audits.progress import progress
from plumbline.audits.states import RunState
from plumbline.results import reading
from plumbline.spec.audit import parse
from plumbline.spec.errors import InputError
from tests.workers.execution.conftest import execute
from tests.workers.execution.reused import assert_same_records, counts
from tests.workers.tiny import save_tiny_bert, save_tiny_multiple_choice
from workers.engine.checkpoints.checkpoint import NAMES_SEEN
from workers.execution.worker_loop import WorkerSpentError
from workers.probes.sodapop import generating_plan
from workers.probes.sodapop.asking import Asking
from workers.probes.sodapop.generating_stage import Generating

pytestmark = pytest.mark.django_db

CONTEXT = {"id": "people", "context": "{name} is in.", "question": "is {name} warm?", "prompt": "{name} is"}
RECORDS = ("distractor", "answer", "tally")
Spec = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A masked model that generates and a multiple-choice model that answers."""
    root = tmp_path_factory.mktemp("phases")
    return save_tiny_bert(root / "generator", 0), save_tiny_multiple_choice(root / "asked", 1)


@pytest.fixture
def spec(folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> Spec:
    """Four names in two groups and two contexts, each cell a shard of its own."""
    monkeypatch.setattr(generating_plan, "SENTENCES_PER_SHARD", 1)

    def write(**changes: Any) -> dict[str, Any]:
        names = [("men", "women")[index % 2] for index in range(4)]
        return {
            "name": "phases",
            "probe": "sodapop",
            "model": f"path:{folders[1]}",
            "generator": f"path:{folders[0]}",
            "names": {"inline": [{"name": f"n{index}", "group": group} for index, group in enumerate(names)]},
            "contexts": {"inline": [{**CONTEXT, "answer": "warm"}, {**CONTEXT, "id": "poor", "answer": "poor in men"}]},
            "params": {"k": 1, "top": 6, "min_occurrences": 1, "permutations": 99, "resamples": 100},
            **changes,
        }

    return write


def done(spec: dict[str, Any], **options: Any) -> Run:
    run = launch(parse(spec), **options)
    execute(run)
    run.refresh_from_db()
    assert run.state == RunState.DONE, run.traceback or run.error
    return run


def digests(run: Run) -> list[str]:
    return [reading.digest(run.pk, table) for table in RECORDS]


def test_each_phase_that_asks_follows_the_one_that_plans_it(spec: Spec) -> None:
    run = done(spec())
    assert list(run.phases.values_list("name", "sharded")) == [
        ("planning", False),
        ("generating", True),
        ("planning asking", False),
        ("asking", True),
        ("summary", False),
    ]
    assert reading.read(run.pk, "answer").height == reading.read(run.pk, "distractor").height + 4 * 2


def test_a_run_counts_the_records_that_came_of_it(spec: Spec) -> None:
    run = done(spec())
    assert run.planned_items == sum(reading.read(run.pk, table).height for table in RECORDS)
    assert None not in [rows for shard in run.shards.all() for rows in shard.planned_rows.values()]


def test_the_provenance_shows_both_models_and_leads_with_the_one_under_audit(spec: Spec) -> None:
    run = done(spec())
    asked, told = spec(), run.provenance
    assert told["model"] == told["stages"]["asking"]["model"] == asked["model"]
    assert told["stages"]["generating"]["model"] == asked["generator"]
    assert told["digest"] != told["stages"]["generating"]["digest"]


def test_a_second_run_uses_both_phases_again(spec: Spec) -> None:
    first, second = done(spec()), done(spec(name="again"))
    assert digests(first) == digests(second)
    assert not Shard.objects.filter(run=second, reused_from=None).exists()
    assert first.planned_items == second.planned_items


def test_asking_otherwise_uses_the_distractors_again(spec: Spec) -> None:
    first = done(spec())
    second = done(spec(params=spec()["params"] | {"pool": "shared"}))
    reused = second.shards.exclude(reused_from=None).values_list("phase__name", flat=True)
    assert set(reused) == {"generating"}
    assert digests(first)[0] == digests(second)[0]


@pytest.mark.parametrize("cells", [1, 1000], ids=["a cell a shard", "all cells in a shard"])
def test_a_name_more_asks_its_own_cells(spec: Spec, monkeypatch: pytest.MonkeyPatch, cells: int) -> None:
    monkeypatch.setattr(generating_plan, "SENTENCES_PER_SHARD", cells)
    done(spec())
    names = [*spec()["names"]["inline"], {"name": "n9", "group": "men"}]
    run = done(spec(names={"inline": names}))
    records = pl.concat([reading.read(run.pk, table).select("name") for table in RECORDS])
    assert counts(run)[0] == len(records.filter(name="n9"))
    assert_same_records(run, done(spec(names={"inline": names}), reuse=False))


def test_with_a_shared_pool_a_name_more_asks_everybody_about_its_distractors(spec: Spec) -> None:
    shared = {"params": spec()["params"] | {"pool": "shared"}}
    done(spec(**shared))
    names = [*spec()["names"]["inline"], {"name": "n9", "group": "men"}]
    run = done(spec(**shared, names={"inline": names}))
    asking = next(phase for phase in progress(run).phases if phase.name == "asking")
    assert (asking.items_reused, asking.items_done > 0) == (0, True)
    assert_same_records(run, done(spec(**shared, names={"inline": names}), reuse=False))


def test_a_run_that_was_cut_off_between_its_phases_goes_on_to_the_same_records(
    spec: Spec, monkeypatch: pytest.MonkeyPatch
) -> None:
    undisturbed = digests(done(spec()))
    run = launch(parse(spec()), reuse=False)
    with monkeypatch.context() as sick:
        sick.setattr(Asking, "execute", _fail)
        with pytest.raises(WorkerSpentError):
            execute(run)
    life.cancel(run.pk)
    life.resume(run.pk)
    execute(run)
    run.refresh_from_db()
    assert run.state == RunState.DONE
    assert digests(run) == undisturbed


def _fail(*_: Any) -> None:
    raise RuntimeError


def test_without_asking_there_is_one_phase_and_the_generator_is_under_audit(spec: Spec) -> None:
    asked = spec(params=spec()["params"] | {"ask": False})
    del asked["model"]
    run = done(asked)
    assert run.model == asked["generator"]
    assert not Phase.objects.filter(run=run, name__contains="asking").exists()
    assert reading.read(run.pk, "distractor").height > 0
    assert reading.read(run.pk, "answer").is_empty()


def test_an_asked_model_that_is_exchanged_before_its_turn_ends_the_run(
    spec: Spec, folders: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moving = tmp_path / "moving"
    save_tiny_multiple_choice(moving, 1)
    run = launch(parse(spec(model=f"path:{moving}")))
    generate = Generating.execute

    def and_exchange(self: Generating, *given: Any) -> Any:
        save_tiny_multiple_choice(moving, 2)
        return generate(self, *given)

    monkeypatch.setattr(Generating, "execute", and_exchange)
    execute(run)
    run.refresh_from_db()
    assert (run.state, run.expected) == (RunState.FAILED, True)
    assert "changed since run" in run.error


def test_names_of_one_group_cannot_be_compared(spec: Spec) -> None:
    with pytest.raises(InputError, match="two groups"):
        launch(parse(spec(names={"inline": [{"name": "n0", "group": "men"}]})))


def test_names_in_the_text_that_the_model_was_fine_tuned_on_are_recorded(
    spec: Spec, folders: tuple[Path, Path]
) -> None:
    assert "names_seen" not in done(spec()).provenance["stages"]["asking"]
    seen = folders[1] / NAMES_SEEN
    seen.write_text('["n2", "n0", "Bethany"]', encoding="utf-8")
    try:
        stages = done(spec(), reuse=False).provenance["stages"]
    finally:
        seen.unlink()
    assert (stages["asking"]["names_seen"], "names_seen" in stages["generating"]) == (["n0", "n2"], False)
