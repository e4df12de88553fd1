"""The queries and the login with which KEDA counts work, on PostgreSQL itself."""

from pathlib import Path
from typing import Any

import psycopg
import pytest
import yaml
from django.db import ProgrammingError, connection

from plumbline.audits import leases, life
from plumbline.audits.models import Phase, Run, Shard
from plumbline.audits.request_kinds import KINDS
from plumbline.audits.states import RunState, WorkState
from tests.deployment.conftest import ROOT
from tests.plumbline.audits.conftest import curated, run, scoring

__all__ = ["curated", "run", "scoring"]

FOLDER = ROOT / "kubernetes/autoscaling"
ROLE = "plumbline_scaler"

pytestmark = pytest.mark.django_db


def queries() -> dict[str, str]:
    parts = list(yaml.safe_load_all((FOLDER / "workers.yaml").read_text(encoding="utf-8")))
    scaled: list[Any] = [one["spec"] for one in parts if one["kind"] == "ScaledObject"]
    return {
        spec["scaleTargetRef"]["name"].rpartition("-")[2]: spec["triggers"][0]["metadata"]["query"] for spec in scaled
    }


def asked(sql: str) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return cursor.fetchone()[0]


def work() -> dict[str, int]:
    return {queue: asked(sql) for queue, sql in queries().items()}


def test_the_planning_counts_before_there_are_shards(run: Run) -> None:
    assert work() == {"gpu": 1, "cpu": 0}


def test_shards_count_while_they_wait_and_while_they_are_executed(run: Run, scoring: Phase) -> None:
    assert work() == {"gpu": 3, "cpu": 0}
    assert leases.take_next_shard(scoring, "a worker")
    assert work() == {"gpu": 3, "cpu": 0}
    Shard.objects.filter(number=0).update(state=WorkState.DONE)
    assert work() == {"gpu": 2, "cpu": 0}


def test_the_summary_is_work_of_the_other_queue(run: Run, scoring: Phase) -> None:
    Shard.objects.update(state=WorkState.DONE)
    life.advance(run.pk)
    assert work() == {"gpu": 0, "cpu": 1}


def test_a_run_that_no_worker_of_the_pool_may_touch_is_no_work(run: Run, scoring: Phase) -> None:
    Run.objects.update(owner="a command")
    assert work() == {"gpu": 0, "cpu": 0}
    Run.objects.update(owner="", state=RunState.CANCELLED)
    assert work() == {"gpu": 0, "cpu": 0}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_question_of_a_page_is_work_for_workers_with_models(kind: Any) -> None:
    assert f"FROM {kind._meta.db_table} WHERE state = 'ready')" in queries()["gpu"]


def test_the_shards_of_finished_runs_are_not_read(run: Run, scoring: Phase) -> None:
    Run.objects.update(state=RunState.DONE)
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO audits_shard (run_id, phase_id, number, key, items, planned_rows, state, attempts, size,"
            " leased_by) SELECT %s, %s, 10 + n, n::text, '[]', '{}', 'done', 1, 1, ''"
            " FROM generate_series(1, 20000) AS n",
            [run.pk, scoring.pk],
        )
        cursor.execute("ANALYZE audits_shard, audits_phase, audits_run")
        for sql in queries().values():
            cursor.execute("EXPLAIN " + sql)
            plan = "\n".join(line for (line,) in cursor.fetchall())
            assert "shard_phase_state" in plan
            assert "Seq Scan on audits_shard" not in plan


def test_the_login_may_count_work_and_read_nothing_else(run: Run, scoring: Phase) -> None:
    role = f"{ROLE}_{connection.settings_dict['NAME']}"[:63]
    sql = (FOLDER / "login.sql").read_text(encoding="utf-8").replace(ROLE, role).replace(":'password'", "'secret'")
    with connection.cursor() as cursor:
        cursor.execute(sql)
        cursor.execute(f"SET LOCAL ROLE {role}")
        assert work() == {"gpu": 3, "cpu": 0}
        with pytest.raises(ProgrammingError) as refused:
            cursor.execute("SELECT spec FROM audits_run")
    assert isinstance(refused.value.__cause__, psycopg.errors.InsufficientPrivilege)


def test_the_login_is_the_one_that_the_manifests_name() -> None:
    parts = list(yaml.safe_load_all((FOLDER / "workers.yaml").read_text(encoding="utf-8")))
    [login] = [one for one in parts if one["kind"] == "TriggerAuthentication"]
    [secret] = login["spec"]["secretTargetRef"]
    assert (secret["name"], secret["key"], secret["parameter"]) == ("plumbline-scaler", "connection", "connection")
    for scaled in parts:
        if scaled["kind"] == "ScaledObject":
            assert scaled["spec"]["triggers"][0]["authenticationRef"] == {"name": login["metadata"]["name"]}
    assert Path(ROOT / "docs/kubernetes.md").read_text(encoding="utf-8").count("kubernetes/autoscaling/login.sql") == 1
