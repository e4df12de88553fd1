"""Runs that stop before they cost more than they may, and go on."""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from plumbline.audits import life, spending
from plumbline.audits.launching import launch
from plumbline.audits.models import Run, RunSpending
from plumbline.audits.states import RunState
from plumbline.spec.audit import parse
from tests.plumbline.spec.some_questions import set_of_four
from tests.workers.endpoint import Endpoint, serving
from tests.workers.execution.conftest import Silent
from workers.execution import Worker, drive

pytestmark = pytest.mark.django_db

READ, WRITTEN = 100, 2
COST = Decimal(READ + 10 * WRITTEN) / 1_000_000
"""What a question costs at 1 and 10 a million."""
QUESTIONS = [
    {**one, "context": one["context"].replace("the bus", f"bus {template}")}
    for template in "12345678"
    for one in set_of_four(template)
]


@pytest.fixture
def endpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    monkeypatch.setenv("PLUMBLINE_VAR", str(tmp_path))
    said = {
        "choices": [{"message": {"role": "assistant", "content": "A"}}],
        "usage": {"prompt_tokens": READ, "completion_tokens": WRITTEN},
    }
    with serving(lambda _: said) as server:
        yield server


def ran(endpoint: Endpoint, **params: Any) -> Run:
    data = {"name": "bbq", "probe": "bbq", "bank": {"inline": QUESTIONS}, "model": endpoint.reference}
    prices = {"price_in": 1.0, "price_out": 10.0, "concurrency": 3}
    return driven(launch(parse(data | {"params": prices | params}), owner="test"))


def driven(run: Run) -> Run:
    drive(run.pk, Worker("test", Silent()))
    run.refresh_from_db()
    return run


def spent(run: Run) -> list[Decimal]:
    return list(RunSpending.objects.values_list("spent", "reserved").get(run=run))


def test_a_run_tells_what_it_has_spent(endpoint: Endpoint) -> None:
    run = ran(endpoint)
    assert run.state == RunState.DONE, run.error
    assert spent(run) == [COST * len(QUESTIONS), 0]


def test_a_run_stops_before_it_costs_more_than_its_budget_and_goes_on_with_a_larger_one(endpoint: Endpoint) -> None:
    budget = float(COST) * 20
    run = ran(endpoint, budget=budget)
    assert run.state == RunState.FAILED
    assert run.error.startswith("the budget of 0.0024 for this run is spent:"), run.error
    assert f"'audit resume {run.pk} --budget AMOUNT'" in run.error
    assert 0 < len(endpoint.asked) < 20
    assert spent(run) == [COST * len(endpoint.asked), 0]

    spending.allow(run, Decimal(1))
    life.take_up(run.pk, owner="test")
    assert driven(run).state == RunState.DONE, run.error
    assert len(endpoint.asked) == len(QUESTIONS)


def test_the_budget_of_the_months_stops_runs_too(endpoint: Endpoint, settings: Any) -> None:
    settings.MONTHLY_BUDGET = float(COST) * 40
    assert ran(endpoint).state == RunState.DONE
    run = ran(endpoint)
    assert run.state == RunState.FAILED
    assert "Resume the run next month, or raise MONTHLY_BUDGET" in run.error
    assert spending.this_month().spent == COST * len(endpoint.asked) <= Decimal(str(settings.MONTHLY_BUDGET))


def test_a_request_without_an_answer_stays_reserved(endpoint: Endpoint) -> None:
    """It may have been paid for."""
    endpoint.replies = [(401, {}, {})]
    run = ran(endpoint, concurrency=1)
    assert run.state == RunState.FAILED
    own = RunSpending.objects.get(run=run)
    assert own.spent == 0 < own.reserved


def test_a_person_sees_the_spending_and_resumes_with_a_larger_budget(endpoint: Endpoint, client: Client) -> None:
    run = ran(endpoint, budget=float(COST) * 20)
    client.force_login(User.objects.create_superuser("anna"))
    page = " ".join(client.get(reverse("run", args=[run.pk])).content.decode().split())
    assert "<span>spent 0.00" in page
    assert "of 0.0024</span>" in page
    assert '<input name="budget"' in page
    assert "Spent at endpoints in 20" in client.get("/").content.decode()

    refused = client.post(reverse("run_resume", args=[run.pk]), {"budget": "lots"}, follow=True)
    assert "&#x27;lots&#x27; is no amount of money" in refused.content.decode()
    run.refresh_from_db()
    assert run.state == RunState.FAILED
    client.post(reverse("run_resume", args=[run.pk]), {"budget": "2"})
    run.refresh_from_db()
    assert run.state in (RunState.PLANNING, RunState.QUEUED)
    assert RunSpending.objects.get().budget == 2
