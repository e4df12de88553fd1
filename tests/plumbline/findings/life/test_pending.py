"""Which runs the sweep writes findings of, and what happens to one that cannot be written."""

import pytest

from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.audits.sweep import sweep
from plumbline.findings import pending
from plumbline.findings.models import Finding, Update
from tests.plumbline.findings.audited import a_plan, a_run, difference, summarise

pytestmark = pytest.mark.django_db


def test_the_sweep_writes_finished_runs_once_and_again_after_a_new_summary() -> None:
    run = a_run(difference("warm", 0.6), plan=a_plan())
    live = a_run(difference("warm", 0.6), plan=a_plan())
    Run.objects.filter(pk=live.pk).update(state=RunState.QUEUED, owner="somebody")
    sweep()
    assert list(Update.objects.values_list("run", flat=True)) == [run.pk]
    assert list(pending.due()) == []
    summarise(run, difference("warm", 0.6), difference("kind", 0.6))
    assert list(pending.due()) == [run]
    sweep()
    assert Finding.objects.count() == 2


def test_a_run_without_a_summary_phase_is_written_once() -> None:
    run = a_run(difference("warm", 0.6))
    run.phases.all().delete()
    assert pending.write_due() == 1
    assert pending.write_due() == 0


def test_a_failure_is_kept_on_record_and_tried_again_later(monkeypatch: pytest.MonkeyPatch) -> None:
    run = a_run(difference("warm", 0.6), plan=a_plan())

    def broken(_run: Run) -> None:
        raise RuntimeError("no sentence for it")

    monkeypatch.setattr(pending, "update", broken)
    assert pending.write_due() == 0
    kept = Update.objects.get(run=run)
    assert (kept.error, kept.attempts, kept.written_at) == ("RuntimeError: no sentence for it", 1, None)
    run.refresh_from_db()
    assert run.state == RunState.DONE
    assert list(pending.due()) == []  # not before its pause is over
    monkeypatch.undo()
    Update.objects.update(retry_at="2020-01-01T00:00Z")
    assert pending.write_due() == 1
    assert (Update.objects.get().error, Finding.objects.count()) == ("", 1)


def test_after_six_failures_only_a_new_summary_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    run = a_run(difference("warm", 0.6), plan=a_plan())
    monkeypatch.setattr(pending, "update", lambda _run: 1 / 0)
    for _ in range(6):
        pending.write(run)
    assert Update.objects.get().retry_at is None
    assert list(pending.due()) == []
    summarise(run, difference("warm", 0.6))
    assert list(pending.due()) == [run]
