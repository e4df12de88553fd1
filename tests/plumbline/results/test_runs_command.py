"""`manage.py runs delete --before DATE`: first it shows, with --yes it deletes, and what something rests on stays."""

from collections.abc import Callable
from datetime import UTC, datetime

import psycopg
import pytest
from django.core.management import call_command
from django.db import connection

from plumbline.annotation.models import AnnotationTask
from plumbline.audits.models import AddedWord, ComparisonRequest, Plan, Run, Schedule
from plumbline.audits.states import RunState
from plumbline.findings.models import Finding, SignedRun, SignOff
from plumbline.results import partitions, retention
from plumbline.results.reading import read
from plumbline.results.sizes import Size, size_of
from tests.plumbline.results.conftest import CELLS, Load

OLD, NEW = datetime(2020, 5, 1, tzinfo=UTC), datetime(2021, 5, 1, tzinfo=UTC)
BEFORE = ("delete", "--before", "2021-01-01")

Call = Callable[..., tuple[int, list[str]]]


def made(ended: datetime | None = OLD, state: RunState = RunState.DONE, plan: Plan | None = None) -> Run:
    fields = {"name": "traits", "probe": "ilps", "model": "path:x", "spec": {}}
    run = Run.objects.create(state=state, plan=plan, finished_at=ended, **fields)
    Run.objects.filter(pk=run.pk).update(created_at=OLD)
    return run


@pytest.fixture
def runs(capsys: pytest.CaptureFixture[str]) -> Call:
    """Call `manage.py runs ...` in this process: its exit status and its lines."""

    def call(*arguments: str) -> tuple[int, list[str]]:
        status = 0
        try:
            call_command("runs", *arguments)
        except SystemExit as ended:
            status = int(ended.code or 0)
        told = capsys.readouterr()
        return status, (told.out + told.err).splitlines()

    return call


@pytest.mark.django_db
def test_it_first_shows_what_would_go_and_deletes_nothing(load: Load, runs: Call) -> None:
    old, new = made(), made(NEW)
    for run in (old, new):
        load(run.pk, CELLS)
    status, (line, total, advice) = runs(*BEFORE)
    assert status == 0
    assert line.startswith(f"run {old.pk}: traits  path:x  done 2020-05-01  {len(CELLS)} records, 0.0 MB  goes")
    assert total == f"1 of 1 runs would go: {len(CELLS)} records, 0.0 MB"
    assert advice == "nothing was deleted; repeat with --yes to delete"
    assert Run.objects.count() == 2
    assert read(old.pk).height == len(CELLS)


@pytest.mark.django_db
@pytest.mark.parametrize("planned", [0, partitions.OWN_PARTITION_FROM], ids=["small", "large"])
def test_with_yes_the_old_runs_go_with_their_records(load: Load, runs: Call, planned: int) -> None:
    old, failed, new = made(), made(None, RunState.FAILED), made(NEW)
    for run in (old, new):
        partitions.prepare(run.pk, {"association": planned})
        load(run.pk, CELLS)
    status, lines = runs(*BEFORE, "--yes")
    assert status == 0
    assert lines[-3:] == [f"run {old.pk}: deleted", f"run {failed.pk}: deleted", "2 runs deleted"]
    assert [run.pk for run in Run.objects.all()] == [new.pk]
    assert (read(old.pk).height, read(new.pk).height) == (0, len(CELLS))
    assert partitions.own_partitions(old.pk) == []


def of_schedule(run: Run) -> str:
    plan = Plan.objects.create(name="weekly", spec={})
    Run.objects.filter(pk=run.pk).update(plan=plan)
    schedule = Schedule.objects.create(plan=plan, cron="0 6 * * 1", paused=True)
    return f"schedule {schedule.pk} compares its next run with it"


def of_request(run: Run) -> str:
    other = made(NEW)
    ComparisonRequest.objects.create(first=other, second=run)
    return f"it was compared on request with run {other.pk}"


def of_task(run: Run) -> str:
    AnnotationTask.objects.create(kind="mapping", title="map these", run=run)
    return "annotation tasks rest on it: map these"


def of_judgement(run: Run) -> str:
    Finding.objects.create(identity="0" * 64, series="plan 1", model="path:x", probe="ilps", judged_run=run.pk)
    return "judgements of 1 finding rest on it"


def of_sign_off(run: Run) -> str:
    sign_off = SignOff.objects.create(
        series="plan 1", model="path:x", probe="ilps", signed_name="sam", conditions=[], findings=[]
    )
    SignedRun.objects.create(sign_off=sign_off, run=run)
    return f"a sign-off rests on it: run {run.pk}, signed off by sam on {sign_off.signed_at:%Y-%m-%d}"


def of_work(run: Run) -> str:
    Run.objects.filter(pk=run.pk).update(state=RunState.RUNNING, finished_at=None)
    return f"run {run.pk} is running: wait for it or cancel it"


def of_added_word(run: Run) -> str:
    small = made(None, RunState.QUEUED)
    AddedWord.objects.create(run=run, small=small, kind="target", word="nurse")
    return f"run {small.pk} is queued: wait for it or cancel it"


RESTS = [of_schedule, of_request, of_task, of_judgement, of_sign_off, of_work, of_added_word]


@pytest.mark.django_db
@pytest.mark.parametrize("rests", RESTS)
def test_what_something_rests_on_is_kept_and_the_reason_shown(runs: Call, rests: Callable[[Run], str]) -> None:
    kept, goes = made(), made()
    reason = rests(kept)
    status, lines = runs(*BEFORE, "--yes")
    assert status == 0
    assert f"{OLD:%Y-%m-%d}  0 records, 0.0 MB  kept: {reason}" in lines[0]
    assert Run.objects.filter(pk=kept.pk).exists()
    assert not Run.objects.filter(pk=goes.pk).exists()


@pytest.mark.django_db
def test_only_the_latest_run_of_a_scheduled_plan_is_its_baseline(runs: Call) -> None:
    plan = Plan.objects.create(name="weekly", spec={})
    Schedule.objects.create(plan=plan, cron="0 6 * * 1")
    first, second, failed = made(plan=plan), made(plan=plan), made(plan=plan, state=RunState.FAILED)
    runs(*BEFORE, "--yes")
    left = set(Run.objects.values_list("pk", flat=True))
    assert left == {second.pk}, (first, failed)


@pytest.mark.django_db
def test_a_run_on_which_something_came_to_rest_since_it_was_shown_is_kept() -> None:
    kept, gone, goes = made(), made(), made()
    reason = of_task(kept)
    Run.objects.filter(pk=gone.pk).delete()
    told = dict(retention.delete([kept, gone, goes]))
    assert told == {kept.pk: [reason], gone.pk: ["somebody deleted it meanwhile"], goes.pk: []}
    assert [run.pk for run in Run.objects.all()] == [kept.pk]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("date", "fault"), [("31.1.2026", "'31.1.2026' is no date: write it as"), ("9000-01-01", "is in the future")]
)
def test_a_wrong_date_is_refused_in_one_line(runs: Call, date: str, fault: str) -> None:
    made()
    status, [line] = runs("delete", "--before", date, "--yes")
    assert status == 2
    assert fault in line
    assert Run.objects.exists()


@pytest.mark.django_db
def test_the_size_is_that_of_own_partitions_and_of_the_rows_in_shared_tables(load: Load) -> None:
    large, small, other = 7, 8, 9
    partitions.prepare(large, {"association": partitions.OWN_PARTITION_FROM})
    for run in (large, small, other):
        load(run, CELLS)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_total_relation_size('results.association_run_7')")
        [whole] = cursor.fetchone()
        cursor.execute("SELECT sum(pg_column_size(one)) FROM results.association_default one WHERE run = 8")
        [rows] = cursor.fetchone()
    assert size_of([large, small]) == Size(2 * len(CELLS), whole + rows)
    assert 0 < rows < whole


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("empty_results")
def test_a_query_that_reads_for_long_is_not_waited_for_without_end(
    load: Load, runs: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = made()
    partitions.prepare(run.pk, {"association": partitions.OWN_PARTITION_FROM})
    load(run.pk, CELLS)
    monkeypatch.setattr(retention, "LOCK_WAIT", "50ms")
    known = connection.get_connection_params()
    address = {name: known[name] for name in ("host", "port", "user", "password", "dbname") if known.get(name)}
    with psycopg.connect(**address) as reader:
        reader.execute("SELECT count(*) FROM results.association")
        status, lines = runs(*BEFORE, "--yes")
    assert status == 2
    assert lines[-1] == (f"a query read the tables for more than 50ms, so run {run.pk} and later ones stay: try again.")
    assert read(run.pk).height == len(CELLS)
    assert runs(*BEFORE, "--yes")[0] == 0
    assert read(run.pk).height == 0
