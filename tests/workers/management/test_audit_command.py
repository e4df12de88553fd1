"""manage.py audit: what it prints, how it exits, and that wrong input leaves nothing behind."""

import csv
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import polars as pl
import pytest
from django.db.models import Value

from plumbline.audits import estimated_time
from plumbline.audits.clock import ClockTimestamp
from plumbline.audits.models import ModelUnderAudit, Plan, Role, Run, Shard, Snapshot, WorkerProcess, WorkerState
from plumbline.audits.presence import Presence
from plumbline.spec.errors import InputError
from plumbline.spec.yaml_file import read_yaml
from plumbline.vocab.models import Attribute, AttributeSet
from tests.workers.management.conftest import Ended
from workers.probes.association.probe import AssociationProbe

pytestmark = pytest.mark.django_db

Audit = Callable[..., Ended]
WriteSpec = Callable[..., Path]


def ran(ended: Ended) -> int:
    match = re.fullmatch(r"run (\d+) done \d+ items \d+\.\d s", ended.out.splitlines()[-1])
    assert match, ended
    return int(match[1])


def test_the_last_line_of_a_run_says_how_it_ended(audit: Audit, write_spec: WriteSpec) -> None:
    ended = audit("run", write_spec(), "--inline")
    assert ended.status == 0
    assert re.fullmatch(r"run \d+ done 18 items \d+\.\d s", ended.out.strip())
    assert "scoring" in ended.err


def test_before_the_launch_it_says_what_the_plan_can_show(audit: Audit, write_spec: WriteSpec) -> None:
    ended = audit("run", write_spec(), "--inline")
    assert "warning: This plan has 2 kinds of sentence. Below 7 kinds of sentence" in ended.err
    assert ended.err.index("warning: This plan") < ended.err.index("scoring")
    frames = [f"{{Group.plural}} are {{attribute}} {number}." for number in range(8)]
    ended = audit("run", write_spec(templates={"inline": frames}), "--inline")
    assert "With 8 kinds of sentence, this plan finds a difference of " in ended.err


def test_before_a_long_launch_it_tells_the_size_and_goes_on(
    audit: Audit, write_spec: WriteSpec, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "takes long" not in audit("run", write_spec(model="bundled:none"), "--detach").err
    monkeypatch.setattr(estimated_time, "MANY_ITEMS", 17)
    ended = audit("run", write_spec(model="bundled:none"), "--detach")
    assert "this launch takes long: 18 items, for an unknown time.\n" in ended.err
    assert Run.objects.count() == 2


@pytest.mark.parametrize(
    ("fault", "status", "told"),
    [
        (InputError("take the word out."), 2, "take the word out."),
        (ZeroDivisionError("no share"), 1, "ZeroDivisionError: no share"),
    ],
)
def test_the_exit_status_shows_whether_the_user_can_mend_a_failed_run(
    audit: Audit, write_spec: WriteSpec, monkeypatch: pytest.MonkeyPatch, fault: Exception, status: int, told: str
) -> None:
    monkeypatch.setattr(AssociationProbe, "summarise", Mock(side_effect=fault))
    ended = audit("run", write_spec(), "--inline")
    run = Run.objects.get()
    assert ended.status == status
    assert f"run {run.pk} failed: {told}\n" in ended.err
    assert re.fullmatch(rf"run {run.pk} failed 18 items \d+\.\d s", ended.out.splitlines()[-1])


def test_show_prints_state_coverage_and_findings(audit: Audit, write_spec: WriteSpec) -> None:
    run = ran(audit("run", write_spec(), "--inline"))
    shown = audit("show", run)
    assert shown.status == 0
    assert "Done: records and measures are complete" in shown.out
    assert "women: 100.0% of 9 items scorable" in shown.out
    assert "could not have been found with 2 kinds of sentence" in shown.out
    assert "n = 3" in shown.out


def test_list_shows_the_latest_runs_first(audit: Audit, write_spec: WriteSpec) -> None:
    assert "no runs yet" in audit("list").out
    first, second = (ran(audit("run", write_spec(name=name), "--inline")) for name in ("one", "two"))
    lines = audit("list").out.splitlines()
    assert [line.split()[0] for line in lines] == ["run", str(second), str(first)]


def test_exports_hold_every_record(audit: Audit, write_spec: WriteSpec, tmp_path: Path) -> None:
    run = ran(audit("run", write_spec(), "--inline"))
    for form in ("csv", "jsonl", "parquet"):
        out = tmp_path / f"records.{form}"
        ended = audit("export", run, "--table", "association", "--format", form, "--out", out)
        assert (ended.status, ended.out.split()[0]) == (0, "18")
    rows = list(csv.DictReader((tmp_path / "records.csv").read_text(encoding="utf-8").splitlines()))
    lines = [json.loads(line) for line in (tmp_path / "records.jsonl").read_text().splitlines()]
    frame = pl.read_parquet(tmp_path / "records.parquet")
    assert len(rows) == len(lines) == len(frame) == 18
    for row, line, record in zip(rows, lines, frame.iter_rows(named=True), strict=True):
        assert float(row["score"]) == line["score"] == record["score"]
        assert row["template"] == line["template"] == record["template"]
        assert line["score"] == line["log_p_target"] - line["log_p_prior"]


def test_two_runs_of_one_audit_do_not_differ(audit: Audit, write_spec: WriteSpec) -> None:
    first, second = (ran(audit("run", write_spec(), "--inline", "--no-reuse")) for _ in range(2))
    assert not Shard.objects.filter(reused_from__isnull=False).exists()
    compared = audit("compare", first, second)
    assert "18 items paired" in compared.out
    assert "0 of 6 cells moved" in compared.out


def test_compare_names_what_is_missing_on_either_side(audit: Audit, write_spec: WriteSpec) -> None:
    first = ran(audit("run", write_spec(), "--inline"))
    second = ran(audit("run", write_spec(attributes={"inline": ["poor", "warm"]}), "--inline"))
    compared = audit("compare", first, second)
    assert (
        f"6 items paired, 0 not scorable in one of them, 12 only in run {first}, 6 only in run {second}" in compared.out
    )
    assert "they also differ in attributes" in compared.out


def test_a_report_is_written_by_the_command_of_the_pages(audit: Audit, tmp_path: Path) -> None:
    ended = audit("report", 999999, "--out", tmp_path / "report.html")
    assert (ended.status, ended.err) == (2, "error: there is no run 999999: 'audit list' shows the runs.\n")
    assert audit("report", "--out", tmp_path / "report.html").status == 2


def test_runs_of_different_probes_are_not_compared(audit: Audit, write_spec: WriteSpec) -> None:
    first = ran(audit("run", write_spec(), "--inline"))
    second = ran(audit("run", write_spec(probe="ilps"), "--inline"))
    ended = audit("compare", first, second)
    assert ended.status == 2
    assert "compare runs of one probe" in ended.err


def test_another_model_can_be_named_on_the_command_line(
    audit: Audit, write_spec: WriteSpec, tiny_folders: tuple[Path, Path]
) -> None:
    run = ran(audit("run", write_spec(), "--inline", "--model", f"path:{tiny_folders[1]}"))
    assert Run.objects.get(pk=run).model == f"path:{tiny_folders[1]}"


def test_each_model_on_the_command_line_has_its_run(
    audit: Audit, write_spec: WriteSpec, tiny_folders: tuple[Path, Path]
) -> None:
    models = [f"path:{folder}" for folder in tiny_folders]
    ended = audit("run", write_spec(), "--inline", *(word for one in models for word in ("--model", one)))
    assert ended.status == 0
    runs = [int(line.split()[1]) for line in ended.out.splitlines()]
    assert [Run.objects.get(pk=run).model for run in runs] == models
    again = audit("run", write_spec(model=models[0], models=[models[1]]), "--inline")
    assert [line.split()[2] for line in again.out.splitlines()] == ["done", "done"]


def test_a_plan_is_launched_by_its_name_and_its_runs_belong_to_it(audit: Audit, write_spec: WriteSpec) -> None:
    plan = Plan.objects.create(name="weekly", spec=read_yaml(write_spec()))
    run = ran(audit("run", "--plan", "weekly", "--inline"))
    assert list(plan.runs.values_list("pk", flat=True)) == [run]


@pytest.mark.parametrize("is_both", [False, True])
def test_a_file_or_a_plan_is_launched_and_never_both(audit: Audit, write_spec: WriteSpec, is_both: bool) -> None:
    ended = audit("run", *((write_spec(), "--plan", "weekly") if is_both else ()))
    assert (ended.status, Run.objects.count()) == (2, 0)
    assert "give a YAML file, or --plan NAME, and not both." in ended.err


def test_an_unknown_plan_is_told_with_the_nearest_name(audit: Audit) -> None:
    Plan.objects.create(name="weekly", spec={})
    ended = audit("run", "--plan", "weakly")
    assert (ended.status, ended.out) == (2, "")
    assert "did you mean 'weekly'?" in ended.err


@pytest.mark.parametrize("action", ["show", "resume", "cancel"])
def test_a_run_that_does_not_exist_is_wrong_input(audit: Audit, action: str) -> None:
    ended = audit(action, 999)
    assert ended.status == 2
    assert ended.err == "error: there is no run 999: 'audit list' shows the runs.\n"


@pytest.mark.parametrize("action", ["resume", "cancel"])
def test_a_done_run_is_neither_resumed_nor_cancelled(audit: Audit, write_spec: WriteSpec, action: str) -> None:
    run = ran(audit("run", write_spec(), "--inline"))
    ended = audit(action, run)
    assert ended.status == 2
    assert "done" in ended.err


def test_without_a_worker_the_way_to_go_on_is_named(audit: Audit, write_spec: WriteSpec) -> None:
    ended = audit("run", write_spec())
    assert ended.status == 2
    assert "--inline" in ended.err


PLURAL = "{Group.plural} are {attribute}."
WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "unknown key": ({"colour": "red"}, "colour: unknown key"),
    "unknown param": ({"params": {"margin": 1.0}}, "params.margin: unknown key"),
    "unknown probe": ({"probe": "ipls"}, "unknown probe 'ipls'"),
    "no probe": ({"probe": None}, "names no probe"),
    "no prior": ({"prior": None}, "prior"),
    "two priors": ({"prior": {"mask": "one", "plural": "people"}}, "give one of"),
    "unknown list": ({"attributes": {"list": "abc-trait"}}, "abc-trait"),
    "list and inline": ({"attributes": {"list": "a", "inline": ["b"]}}, "either 'list'"),
    "empty inline": ({"attributes": {"inline": []}}, "attributes"),
    "blank prior": ({"prior": {"singular": " ", "plural": " "}}, "give one of"),
    "a control character": ({"attributes": {"inline": ["a\0b"]}}, "control character"),
    "duplicate group": ({"groups": {"inline": [{"label": "x", "plural": "x"}] * 2}}, "group 'x' appears twice"),
    "duplicate attribute": ({"attributes": {"inline": ["poor", "poor"]}}, "attribute 'poor' appears twice"),
    "empty label": ({"groups": {"inline": [{"label": "  ", "plural": "x"}]}}, "must not be empty"),
    "empty name": ({"name": " "}, "name"),
    "no plural": ({"groups": {"inline": [{"label": "women"}]}}, "needs the plural of group 'women'"),
    "prior without the form": ({"prior": {"singular": "person"}}, "needs the plural of group 'person'"),
    "unknown slot": ({"templates": {"inline": ["{Group.plural} are {trait}."]}}, "unknown slot {trait}"),
    "missing slot": ({"templates": {"inline": ["{Group.plural} are tall."]}}, "lacks the slot {attribute}"),
    "slot twice": ({"templates": {"inline": [PLURAL + "{attribute}"]}}, "more than once the slot {attribute}"),
    "foreign slot": ({"templates": {"inline": [PLURAL + "{name}"]}}, "has the slot {name}"),
    "open bracket": ({"templates": {"inline": ["[All {group.plural} are {attribute}."]}}, "never closed"),
    "no such folder": ({"model": "path:/no/such/model"}, "does not exist"),
    "no reference": ({"model": "bert-base-uncased"}, "does not name a model"),
    "unknown bundled": ({"model": "bundled:gpt-9"}, "gpt-9"),
    "causal choice on a masked model": ({"params": {"ends": "required"}}, "for causal models only"),
    "a word that cannot be spelled": ({"attributes": {"inline": ["poor", "好"]}}, "unknown token"),
    "a word that YAML reads as a boolean": ({"attributes": {"inline": ["poor", False]}}, "attributes"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_input_is_reported_in_one_line_and_leaves_nothing(audit: Audit, write_spec: WriteSpec, case: str) -> None:
    changes, told = WRONG[case]
    ended = audit("run", write_spec(**changes), "--inline")
    lines = [line for line in ended.err.splitlines() if not line.endswith(" ...")]
    assert (ended.status, len(lines)) == (2, 1), ended
    assert lines[0].startswith("error: ")
    assert told in lines[0]
    assert not ended.out
    assert not Run.objects.exists()
    assert not Snapshot.objects.exists()
    assert not ModelUnderAudit.objects.exists()


def test_an_empty_curated_list_is_wrong_input(audit: Audit, write_spec: WriteSpec) -> None:
    AttributeSet.objects.create(slug="nothing", title="Nothing yet")
    ended = audit("run", write_spec(attributes={"list": "nothing"}), "--inline")
    assert ended.status == 2
    assert "'nothing' is empty" in ended.err


def test_a_file_that_is_no_spec_is_wrong_input(audit: Audit, tmp_path: Path) -> None:
    for name, text in {"list.yaml": "- a\n- b\n", "broken.yaml": "name: [", "twice.yaml": "name: a\nname: b\n"}.items():
        (tmp_path / name).write_text(text)
        ended = audit("run", tmp_path / name, "--inline")
        assert ended.status == 2
        assert len(list(ended.err.splitlines())) == 1
    assert audit("run", tmp_path / "nowhere.yaml", "--inline").status == 2


def test_an_export_that_cannot_be_written_is_wrong_input(audit: Audit, write_spec: WriteSpec, tmp_path: Path) -> None:
    run = ran(audit("run", write_spec(), "--inline"))
    ended = audit("export", run, "--out", tmp_path / "no" / "such" / "folder.csv")
    assert ended.status == 2
    assert audit("export", run, "--table", "nothing", "--out", tmp_path / "x.csv").status == 2
    assert audit("export", run, "--format", "xml", "--out", tmp_path / "x.csv").status == 2
    assert list(tmp_path.glob("x*")) == []


def test_a_worker_that_could_not_plan_the_run_is_none_to_launch_it_for(audit: Audit, write_spec: WriteSpec) -> None:
    Presence("far:1:2", Role.WORKER, ("cpu",), "cpu").tell()
    ended = audit("run", write_spec())
    assert (ended.status, len(ended.err.splitlines())) == (2, 1)
    assert "no living worker (of 1) serves the queue gpu" in ended.err
    assert "--inline" in ended.err
    assert "--detach" in ended.err
    assert not Run.objects.exists()


def test_show_says_why_nobody_works_on_a_waiting_run(audit: Audit, write_spec: WriteSpec) -> None:
    run = int(audit("run", write_spec(), "--detach").out.split()[1])
    assert "no worker is alive" in audit("show", run).out
    Presence("far:1:2", Role.WORKER, ("cpu",), "cpu").tell()
    assert "no living worker (of 1) serves the queue gpu" in audit("show", run).out
    Presence("far:1:2", Role.WORKER, ("gpu",), "cpu").tell()
    assert "1 worker is free; its latest sign of life came" in audit("show", run).out
    Run.objects.filter(pk=run).update(provenance={"device": "cuda"})
    assert "planned on cuda, which no living worker of the queue gpu has (of 1)" in audit("show", run).out


def test_show_says_that_no_scheduler_is_alive_for_a_living_run_of_the_pool(audit: Audit, write_spec: WriteSpec) -> None:
    missing = "no scheduler is alive: lost messages are not sent again; 'make up' starts one"
    run = int(audit("run", write_spec(), "--detach").out.split()[1])
    assert missing in audit("show", run).out
    Run.objects.filter(pk=run).update(owner="far:1:2")
    assert missing not in audit("show", run).out
    Run.objects.filter(pk=run).update(owner="", state="cancelled")
    assert missing not in audit("show", run).out
    Run.objects.filter(pk=run).update(state="planning")
    Presence("far:3:4", Role.SCHEDULER).tell()
    assert missing not in audit("show", run).out


def test_show_and_workers_show_for_how_long_a_worker_does_what_it_does(audit: Audit, write_spec: WriteSpec) -> None:
    run = int(audit("run", write_spec(), "--detach").out.split()[1])
    worker = Presence("far:1:2", Role.WORKER, ("gpu",), "cpu")
    worker.says(state=WorkerState.WORKING, run_id=run, doing="shard 12")
    worker.tell()
    WorkerProcess.objects.update(doing_since=ClockTimestamp() - Value(timedelta(minutes=3)))
    assert "  far:1:2 (cpu): shard 12, for 3 min\n" in audit("show", run).out
    assert f"run {run} shard 12, for 3 min" in audit("workers").out
    WorkerProcess.objects.update(doing_since=None)
    assert "  far:1:2 (cpu): shard 12\n" in audit("show", run).out


def test_show_prints_a_list_that_was_edited_since_and_rerun_asks_what_is_new(
    audit: Audit, write_spec: WriteSpec
) -> None:
    words = AttributeSet.objects.create(slug="jobs", title="Jobs")
    Attribute.objects.create(word_list=words, text="poor")
    first = ran(audit("run", write_spec(attributes={"list": "jobs"}), "--inline"))
    assert "lists changed" not in audit("show", first).out
    Attribute.objects.create(word_list=words, text="warm")
    assert f"lists changed: jobs (edited) since; 'audit rerun {first}' asks what is new" in audit("show", first).out
    again = audit("rerun", first, "--inline")
    assert again.out.splitlines()[-1].split()[2:5] == ["done", "12", "items"]
    assert "lists changed" not in audit("show", ran(again)).out


def test_a_command_that_asks_no_model_loads_no_torch() -> None:
    """It would take three times as long to answer."""
    code = "import django, sys; django.setup(); import workers.management.commands.audit; print('torch' in sys.modules)"
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "plumbline.settings"}
    found = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert found.stdout == "False\n"
