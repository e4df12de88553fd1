"""manage.py findings update."""

import pytest
from django.core.management import call_command

from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.findings import pending
from plumbline.findings.models import Finding
from tests.plumbline.findings.audited import a_plan, a_run, difference

pytestmark = pytest.mark.django_db


def ended(*arguments: str) -> int | str | None:
    with pytest.raises(SystemExit) as end:
        call_command("findings", "update", *arguments)
    return end.value.code


def test_it_writes_all_runs_that_lack_findings(capsys: pytest.CaptureFixture[str]) -> None:
    run = a_run(difference("warm", 0.6), plan=a_plan())
    assert ended() == 0
    assert capsys.readouterr().out.splitlines() == [
        f"run {run.pk}: 1 of 1 present measures are findings",
        "1 of 1 runs written",
    ]
    assert Finding.objects.count() == 1
    assert ended() == 0
    assert capsys.readouterr().out == "0 of 0 runs written\n"


def test_a_named_run_is_written_again_and_an_unfinished_one_refused(capsys: pytest.CaptureFixture[str]) -> None:
    run = a_run(difference("warm", 0.6), plan=a_plan())
    pending.write(run)
    assert ended(str(run.pk)) == 0
    Run.objects.filter(pk=run.pk).update(state=RunState.FAILED)
    assert ended(str(run.pk)) == 2
    assert ended("999999") == 2
    told = capsys.readouterr().err
    assert "is failed; only a finished run has findings" in told
    assert "there is no run 999999" in told


def test_a_failure_is_told_by_the_status(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    a_run(difference("warm", 0.6), plan=a_plan())
    monkeypatch.setattr(pending, "update", lambda _run: 1 / 0)
    assert ended() == 1
    assert "ZeroDivisionError" in capsys.readouterr().out
