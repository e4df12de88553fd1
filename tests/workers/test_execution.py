"""A run from launch to measures, on a real model and a real database, and what happens when it is disturbed."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from django.db import connection
from pytest_django.fixtures import Settings

from plumbline.audits import leases, life
from plumbline.audits.launching import launch
from plumbline.audits.models import Phase, Run, Shard
from plumbline.audits.progress import progress
from plumbline.audits.states import RunState, WorkState
from plumbline.results import copying, reading
from plumbline.spec.audit import parse
from plumbline.spec.errors import InputError
from plumbline.spec.grammar import frame
from tests.workers.execution.conftest import Silent
from tests.workers.execution.spec import ilps
from workers import execution
from workers.engine.masked import MaskedModel
from workers.execution import Worker, drive, worker_loop
from workers.probes.association.probe import AssociationProbe
from workers.probes.cell_scores import cells

pytestmark = pytest.mark.django_db


def worker() -> Worker:
    return Worker("test", Silent())


Launch = Callable[..., Run]


@pytest.fixture
def launched(tiny_folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> Launch:
    """Launch a small audit in several shards: 2 groups, 4 attributes, 6 templates."""
    monkeypatch.setattr(cells, "ITEMS_PER_SHARD", 8)

    def new(reuse: bool = False, **changes: Any) -> Run:
        data = ilps(
            tiny_folders[0],
            attributes={"inline": ["poor", "wealthy", "dominant", "warm"]},
            templates={
                "inline": [
                    "[All|Most|Many|Some] {group.plural} are {attribute}.",
                    "[All|Why] {group.plural} so {attribute}",
                ]
            },
        )
        return launch(parse(data | changes), owner="test", reuse=reuse)

    return new


@pytest.fixture
def executed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sizes of the shards that a model answered."""
    sizes: list[int] = []
    original = AssociationProbe.execute

    def counted(self: AssociationProbe[Any], spec: Any, snapshots: Any, items: Any, *rest: Any) -> Any:
        sizes.append(len(items))
        return original(self, spec, snapshots, items, *rest)

    monkeypatch.setattr(AssociationProbe, "execute", counted)
    return sizes


def test_a_run_ends_with_all_records_and_measures(launched: Launch) -> None:
    run = launched()
    drive(run.pk, worker())
    run.refresh_from_db()
    assert (run.state, run.error, run.planned_items) == (RunState.DONE, "", 48)
    records = reading.read(run.pk)
    assert len(records) == 48
    assert (records["log_p_target"] - records["log_p_prior"] == records["score"]).all()
    measures = reading.read(run.pk, "measure")
    of_women = records.filter(group="women", attribute="poor")
    frames = of_women.group_by(pl.col("template").map_elements(frame, pl.String)).agg(pl.col("score").mean())
    stored = measures.filter(statistic="ilps", group_a="women", attribute="poor")["value"].item()
    assert stored == pytest.approx(frames["score"].mean(), abs=1e-12)


def test_the_summary_counts_why_items_are_not_scorable(launched: Launch) -> None:
    long = "All {group.plural} are " + "poor " * 130 + "{attribute}."
    run = launched(templates={"inline": ["All {group.plural} are {attribute}.", long]})
    drive(run.pk, worker())
    records = reading.read(run.pk).filter(scorable=False)
    kept = reading.read(run.pk, "measure").filter(statistic="not_scorable")
    assert len(records)
    assert dict(kept.filter(group_a="").select("reason", "n").iter_rows()) == dict(
        records["reason"].value_counts().iter_rows()
    )
    of_women = records.filter(group="women")["reason"].value_counts()
    assert dict(kept.filter(group_a="women").select("reason", "n").iter_rows()) == dict(of_women.iter_rows())


def test_a_run_records_what_decides_its_numbers(launched: Launch) -> None:
    run = launched(seed=7)
    drive(run.pk, worker())
    run.refresh_from_db()
    assert run.provenance["seed"] == 7
    assert run.provenance["dtype"] == "float32"
    assert len(run.provenance["digest"]) == len(run.provenance["tokenizer_digest"]) == 64
    assert {"torch", "transformers", "device", "threads", "engine"} <= run.provenance.keys()


def test_the_same_audit_again_copies_its_shards_and_asks_no_model(launched: Launch, executed: list[int]) -> None:
    first = launched()
    drive(first.pk, worker())
    asked = len(executed)
    second = launched(reuse=True)
    drive(second.pk, worker())
    assert len(executed) == asked > 1
    assert reading.digest(first.pk) == reading.digest(second.pk)
    assert not Shard.objects.filter(run=second, reused_from__isnull=True).exists()


def test_it_is_reported_how_much_was_asked_and_how_much_was_known_also_when_its_source_is_gone(
    launched: Launch,
) -> None:
    first = launched()
    drive(first.pk, worker())
    second = launched(reuse=True)
    drive(second.pk, worker())
    assert [(found.asked, found.reused) for found in map(progress, (first, second))] == [(48, 0), (0, 48)]
    first.delete()
    assert progress(second).reused == 48


def test_reuse_can_be_refused(launched: Launch, executed: list[int]) -> None:
    first = launched()
    drive(first.pk, worker())
    asked = len(executed)
    second = launched(reuse=False)
    drive(second.pk, worker())
    assert len(executed) == 2 * asked
    assert reading.digest(first.pk) == reading.digest(second.pk)


def test_another_model_never_gets_the_answers_of_the_first(
    launched: Launch, executed: list[int], tiny_folders: tuple[Path, Path]
) -> None:
    drive(launched().pk, worker())
    asked = len(executed)
    other = launched(reuse=True, model=f"path:{tiny_folders[1]}")
    drive(other.pk, worker())
    assert len(executed) == 2 * asked


def test_a_shard_whose_source_lost_its_records_is_asked_again(launched: Launch, executed: list[int]) -> None:
    first = launched()
    drive(first.pk, worker())
    digest = reading.digest(first.pk)
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM results.association WHERE run = %s", [first.pk])
    second = launched(reuse=True)
    drive(second.pk, worker())
    assert reading.digest(second.pk) == digest


def test_an_edit_of_the_statistics_alone_asks_no_model(launched: Launch, executed: list[int]) -> None:
    drive(launched().pk, worker())
    asked = len(executed)
    again = launched(reuse=True, params={"resamples": 500, "level": 0.9})
    drive(again.pk, worker())
    assert len(executed) == asked


@pytest.fixture
def failing_load(monkeypatch: pytest.MonkeyPatch) -> list[BaseException]:
    """The second load of records raises the first error of this list, once."""
    errors: list[BaseException] = []
    calls = 0
    original = copying.copy_in

    def copy_in(*arguments: Any) -> int:
        nonlocal calls
        calls += 1
        if calls == 2 and errors:
            original(*arguments)
            raise errors.pop()
        return original(*arguments)

    monkeypatch.setattr(copying, "copy_in", copy_in)
    return errors


def test_our_fault_keeps_its_traceback_and_resume_finishes_the_run(
    launched: Launch, failing_load: list[BaseException], executed: list[int]
) -> None:
    run = launched()
    failing_load.append(ZeroDivisionError("a fault of ours"))
    drive(run.pk, worker())
    run.refresh_from_db()
    assert (run.state, run.expected) == (RunState.FAILED, False)
    assert run.error == "ZeroDivisionError: a fault of ours"
    assert "ZeroDivisionError" in run.traceback
    done = Shard.objects.filter(run=run, state=WorkState.DONE).count()
    assert done == 1
    assert len(reading.read(run.pk)) == sum(
        s.planned_rows["association"] for s in Shard.objects.filter(run=run, state=WorkState.DONE)
    )
    life.resume(run.pk)
    asked = len(executed)
    drive(run.pk, worker())
    run.refresh_from_db()
    assert (run.state, run.error) == (RunState.DONE, "")
    assert len(executed) - asked == Shard.objects.filter(run=run).count() - done
    undisturbed = launched()
    drive(undisturbed.pk, worker())
    assert reading.digest(run.pk) == reading.digest(undisturbed.pk)


def test_a_cancelled_run_takes_no_more_work(launched: Launch) -> None:
    run = launched()
    life.cancel(run.pk)
    drive(run.pk, worker())
    run.refresh_from_db()
    assert run.state == RunState.CANCELLED
    assert len(reading.read(run.pk)) == 0


def test_who_lost_the_lease_writes_nothing_and_ends_nothing(launched: Launch, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run is cancelled and taken up by another process while this one still computes."""
    run = launched()
    original = AssociationProbe.execute

    def taken_over(self: AssociationProbe[Any], *arguments: Any) -> Any:
        records = original(self, *arguments)
        life.cancel(run.pk)
        life.resume(run.pk, owner="another process")
        return records

    monkeypatch.setattr(AssociationProbe, "execute", taken_over)
    drive(run.pk, worker())
    monkeypatch.setattr(AssociationProbe, "execute", original)
    run.refresh_from_db()
    assert (run.state, run.owner, run.error) == (RunState.QUEUED, "another process", "")
    assert len(reading.read(run.pk)) == 0
    drive(run.pk, Worker("another process", Silent()))
    run.refresh_from_db()
    assert run.state == RunState.DONE


def test_a_fault_does_not_end_the_run_of_another_process(launched: Launch, monkeypatch: pytest.MonkeyPatch) -> None:
    run = launched()

    def taken_over(*_: Any) -> Any:
        life.cancel(run.pk)
        life.resume(run.pk, owner="another process")
        raise ZeroDivisionError

    monkeypatch.setattr(AssociationProbe, "execute", taken_over)
    drive(run.pk, worker())
    run.refresh_from_db()
    assert run.state == RunState.QUEUED


def test_the_heartbeat_keeps_a_lease_alive(
    launched: Launch, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    renewed: list[leases.Lease] = []
    settings.LEASE_SECONDS = 0.04

    def renew(lease: leases.Lease) -> bool:
        renewed.append(lease)
        return True

    monkeypatch.setattr(leases, "renew", renew)
    run = launched()
    drive(run.pk, worker())
    assert {type(lease.row) for lease in renewed} == {Phase, Shard}


def test_a_count_of_rows_other_than_planned_is_a_failure(launched: Launch, monkeypatch: pytest.MonkeyPatch) -> None:
    original = AssociationProbe.execute

    def one_short(self: AssociationProbe[Any], *arguments: Any) -> Any:
        return {
            table: {key: column[:-1] for key, column in columns.items()}
            for table, columns in original(self, *arguments).items()
        }

    monkeypatch.setattr(AssociationProbe, "execute", one_short)
    run = launched()
    drive(run.pk, worker())
    run.refresh_from_db()
    assert run.state == RunState.FAILED
    assert "instead of" in run.error
    assert len(reading.read(run.pk)) == 0


def test_a_shard_that_ended_already_is_not_written_twice(launched: Launch) -> None:
    """The answer to a COMMIT was lost, so the worker tries again with the same token."""
    run = launched()
    life.advance(run.pk)
    drive(run.pk, worker())
    shard = Shard.objects.filter(run=run).first()
    assert shard is not None
    assert shard.token is not None
    assert leases.finish(leases.Lease(shard, shard.token), 1.0) is False


def test_a_shard_that_kills_its_workers_ends_the_run(launched: Launch) -> None:
    run = launched()
    real = worker()
    while not Shard.objects.filter(run=run).exists():
        assert worker_loop._pursue(run.pk, real)
    Shard.objects.filter(run=run, number=1).update(attempts=3)
    drive(run.pk, real)
    run.refresh_from_db()
    assert (run.state, run.expected) == (RunState.FAILED, False)
    assert "shard 1 was begun 3 times" in run.error
    assert len(reading.read(run.pk)) > 0


def test_weights_that_changed_since_planning_do_not_answer(launched: Launch) -> None:
    run = launched()
    real = worker()
    while not Shard.objects.filter(run=run).exists():
        assert worker_loop._pursue(run.pk, real)
    run.refresh_from_db()
    Run.objects.filter(pk=run.pk).update(provenance=run.provenance | {"digest": "0" * 64})
    drive(run.pk, real)
    run.refresh_from_db()
    assert (run.state, run.expected) == (RunState.FAILED, True)
    assert run.error.startswith("digest of path:")


def test_a_wrong_input_is_an_expected_failure(launched: Launch) -> None:
    run = launched(attributes={"inline": ["poor", "好"]})
    drive(run.pk, worker())
    run.refresh_from_db()
    assert (run.state, run.expected, run.traceback) == (RunState.FAILED, True, "")
    assert "好" in run.error
    assert not Shard.objects.filter(run=run).exists()


def test_preflight_finds_what_is_wrong_before_a_run_exists(tmp_path: Path) -> None:
    spec = parse(ilps(tmp_path / "nowhere"))
    with pytest.raises(InputError, match="does not exist"):
        execution.preflight(spec, {}, worker())
    assert not Run.objects.exists()


def test_a_model_that_answers_nan_is_not_a_finished_run(launched: Launch, monkeypatch: pytest.MonkeyPatch) -> None:
    def nan(self: MaskedModel, queries: list[Any], *_: Any) -> Any:
        return np.full(len(queries), np.nan)

    monkeypatch.setattr(MaskedModel, "log_probabilities", nan)
    run = launched()
    drive(run.pk, worker())
    run.refresh_from_db()
    assert (run.state, run.expected) == (RunState.FAILED, True)
    assert "NaN" in run.error
    assert len(reading.read(run.pk)) == 0
