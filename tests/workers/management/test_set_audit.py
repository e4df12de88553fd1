"""An audit by SeT from the command line: run, show, export, compare."""

import csv
import math
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.workers.management.conftest import Ended
from tests.workers.management.test_audit_command import ran

pytestmark = pytest.mark.django_db


def test_a_set_run_keeps_its_distances_and_is_shown_exported_and_compared(
    audit: Callable[..., Ended], write_spec: Callable[..., Path], tmp_path: Path
) -> None:
    run = ran(audit("run", write_spec(probe="set"), "--inline"))
    shown = audit("show", run)
    assert shown.status == 0
    assert "women: 100.0% of 9 items scorable" in shown.out
    out = tmp_path / "records.csv"
    assert audit("export", run, "--table", "association", "--format", "csv", "--out", out).status == 0
    rows = list(csv.DictReader(out.read_text(encoding="utf-8").splitlines()))
    assert len(rows) == 18
    for row in rows:
        assert (row["log_p_target"], row["log_p_prior"]) == ("", "")
        expected = -math.log(float(row["distance_target"]) / float(row["distance_prior"]))
        assert float(row["score"]) == pytest.approx(expected)
    again = ran(audit("run", write_spec(probe="set", name="again"), "--inline"))
    assert audit("compare", run, again).status == 0


def test_a_mean_prior_is_refused_before_a_run_is_made(
    audit: Callable[..., Ended], write_spec: Callable[..., Path]
) -> None:
    ended = audit("run", write_spec(probe="set", prior={"mean": True}), "--inline")
    assert ended.status == 2
    assert "which distances lack: give {mask: one}" in ended.err
    assert "no runs yet" in audit("list").out
