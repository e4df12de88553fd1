"""What Prometheus reads: figures of the database at that moment, behind a token."""

import json
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import DjangoAssertNumQueries

from plumbline.api.scopes import Scope
from plumbline.audits.models import Notice, Phase, Role, Run, Shard, WorkerProcess
from plumbline.audits.states import WorkState
from plumbline.metrics.collecting import OperationCollector
from tests.plumbline.api.conftest import Call, call, person  # noqa: F401 - fixtures
from tests.plumbline.audits.conftest import curated, run, scoring  # noqa: F401 - fixtures

pytestmark = pytest.mark.django_db
BOARD = Path(__file__).parents[3] / "docs/grafana/plumbline.json"


def figures() -> dict[tuple[str, str], float]:
    """Each sample by its name and the values of its labels."""
    families = OperationCollector().collect()
    return {(one.name, ",".join(one.labels.values())): one.value for family in families for one in family.samples}


def scrape(secret: str = "") -> Any:
    return Client().get("/metrics", headers={"Authorization": f"Bearer {secret}"} if secret else {})


def test_an_empty_installation_has_all_series_at_zero() -> None:
    found = figures()
    assert found.pop(("plumbline_scrape_seconds", "")) > 0
    assert set(found.values()) == {0.0}
    assert ("plumbline_shards", "leased") in found


def test_work_is_counted_by_state(scoring: Phase) -> None:  # noqa: F811
    first, second, third = Shard.objects.order_by("number")
    hence, ago = timezone.now() + timedelta(seconds=30), timezone.now() - timedelta(seconds=1)
    Shard.objects.filter(pk=first.pk).update(state=WorkState.DONE, size=600, done_at=ago, attempts=3)
    Shard.objects.filter(pk=second.pk).update(token="1" * 32, lease_until=hence, attempts=1)
    Shard.objects.filter(pk=third.pk).update(token="2" * 32, lease_until=ago, attempts=2)
    found = figures()
    assert [found["plumbline_shards", state] for state in ("waiting", "ready", "leased", "done")] == [0, 1, 1, 1]
    assert found["plumbline_records_per_second", ""] == 2.0
    assert found["plumbline_leases_lost", "shard"] == 3
    assert found["plumbline_leases_overdue", ""] == 1
    assert found["plumbline_queue_depth", "interactive"] == 1
    assert found["plumbline_runs", "planning"] == 1


def test_what_was_done_earlier_is_in_no_rate(scoring: Phase) -> None:  # noqa: F811
    Shard.objects.update(state=WorkState.DONE, size=600, done_at=timezone.now() - timedelta(minutes=6))
    assert figures()["plumbline_records_per_second", ""] == 0.0


def test_the_oldest_run_that_waits_has_an_age(run: Run) -> None:  # noqa: F811
    Run.objects.filter(pk=run.pk).update(created_at=timezone.now() - timedelta(minutes=10))
    assert 600 <= figures()["plumbline_oldest_waiting_run_seconds", ""] < 700
    Run.objects.filter(pk=run.pk).update(started_at=timezone.now())
    assert figures()["plumbline_oldest_waiting_run_seconds", ""] == 0


def test_only_processes_with_a_heartbeat_are_alive() -> None:
    now = timezone.now()
    for name, role, seen in (
        ("a", Role.WORKER, now),
        ("b", Role.WORKER, now - timedelta(minutes=1)),
        ("c", Role.SCHEDULER, now),
    ):
        WorkerProcess.objects.create(name=name, role=role, started_at=now, seen_at=seen)
    found = figures()
    assert (found["plumbline_workers_alive", "idle"], found["plumbline_schedulers_alive", ""]) == (1, 1)


def test_messages_that_wait_and_that_were_given_up() -> None:
    now = timezone.now()
    for key, fields in (("a", {"retry_at": now}), ("b", {"retry_at": None}), ("c", {"sent_at": now})):
        Notice.objects.create(key=key, recipients=[], subject="s", body="b", **fields)
    found = figures()
    assert (found["plumbline_deliveries", "mail,waiting"], found["plumbline_deliveries", "mail,failed"]) == (1, 1)


def test_a_scrape_asks_a_fixed_number_of_queries(
    scoring: Phase,  # noqa: F811
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    with django_assert_num_queries(17):
        figures()


def test_only_a_token_with_the_scope_opens_it(call: Call) -> None:  # noqa: F811
    assert scrape().status_code == scrape("x").status_code == 401
    assert scrape(call("admin", Scope.READ).secret).status_code == 403
    machine = call(None, Scope.METRICS)
    answer = scrape(machine.secret)
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("text/plain; version=0.0.4")
    assert {one.name for one in text_string_to_metric_families(answer.content.decode())} >= {"plumbline_shards"}
    assert machine.get("runs").status_code == 403


def test_a_person_without_a_role_any_more_scrapes_nothing(call: Call) -> None:  # noqa: F811
    caller = call("viewer", Scope.METRICS)
    assert scrape(caller.secret).status_code == 200
    Group.objects.get(name="viewer").user_set.clear()
    assert scrape(caller.secret).status_code == 403


def test_scrapes_have_the_limit_of_their_token(call: Call, settings: Any) -> None:  # noqa: F811
    settings.API_REQUESTS_PER_MINUTE = 1
    caller = call(None, Scope.METRICS)
    assert [scrape(caller.secret).status_code for _ in range(2)] == [200, 429]
    assert 1 <= int(scrape(caller.secret)["Retry-After"]) <= 60


def test_a_login_opens_nothing(admin_client: Client) -> None:
    assert admin_client.get("/metrics").status_code == 401


class TestBoard:
    def board(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(BOARD.read_text())
        return found

    def test_each_metric_of_the_board_exists_with_its_labels(self) -> None:
        known = {family.name: {label for one in family.samples for label in one.labels} for family in _families()}
        targets = [target for panel in self.board()["panels"] for target in panel["targets"]]
        used = {name for target in targets for name in re.findall(r"plumbline_\w+", target["expr"])}
        assert used == set(known)
        for target in targets:
            (name,) = re.findall(r"plumbline_\w+", target["expr"])
            labels = re.findall(r"(\w+)=", target["expr"]) + re.findall(r"{{(\w+)}}", target["legendFormat"])
            assert set(labels) <= known[name], target

    def test_panels_do_not_overlap_and_say_what_they_show(self) -> None:
        taken: set[tuple[int, int]] = set()
        for panel in self.board()["panels"]:
            at = panel["gridPos"]
            cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
            assert not taken & cells
            assert at["x"] + at["w"] <= 24
            assert panel["description"].endswith(".")
            taken |= cells


def _families() -> list[Any]:
    return list(OperationCollector().collect())
