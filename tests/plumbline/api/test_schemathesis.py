"""Requests that Schemathesis generates from the API's own document: none of them is an error of the server.

A change sends a few for each operation and `--trial` many. The examples are drawn from a fixed seed.
"""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core import signals
from django.core.handlers.wsgi import WSGIHandler
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from plumbline.api.scopes import Scope
from plumbline.audits.models import ModelUnderAudit, Plan
from plumbline.findings.models import Finding
from plumbline.findings.updating import update
from plumbline.request_limits import in_time
from plumbline.vocab.models import Group, GroupList
from tests.plumbline.api.conftest import Call
from tests.plumbline.findings.audited import a_plan, a_run, difference
from tests.plumbline.results.conftest import CELLS, Load, load  # noqa: F401 - a fixture

pytestmark = [pytest.mark.django_db, pytest.mark.any_server]
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
SLOW = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]


@pytest.fixture(autouse=True)
def _same_connection() -> Iterator[None]:
    """Keep the test's connection over a request, as Django's own test client does."""
    for signal in (signals.request_started, signals.request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (signals.request_started, signals.request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def there(load: Load) -> dict[str, Any]:  # noqa: F811
    """One row of everything, and the values of path parameters that lead to them."""
    run = a_run(difference("kind", 0.5), difference("cold", None, verdict="", reason="no items"), plan=a_plan())
    load(run.pk, CELLS)
    update(run)
    Group.objects.create(word_list=GroupList.objects.create(slug="g", title="Groups"), label="women")
    ModelUnderAudit.objects.create(reference="hub:org/m@a")
    finding, plan = Finding.objects.latest("pk"), Plan.objects.latest("pk")
    return {"run": run.pk, "finding": finding.pk, "plan": plan.pk, "kind": "groups", "slug": "g"}


def send(call: Call, there: dict[str, Any], examples: int, mode: GenerationMode) -> set[int]:
    """Send that many generated requests to each operation, half of them to what is there. Return the statuses."""
    headers = {"Authorization": f"Bearer {call('auditor', Scope.READ, Scope.LAUNCH).secret}"}
    document = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", in_time(WSGIHandler()), headers=headers)
    statuses: set[int] = set()
    for found in document.get_all_operations():
        operation: Any = found.ok()  # type: ignore[union-attr] # an error has no ok() and fails the test

        @seeded(7)
        @settings(max_examples=examples, database=None, phases=[Phase.generate], suppress_health_check=SLOW)
        @given(case=operation.as_strategy(generation_mode=mode), known=st.booleans())
        def one(case: Any, known: bool) -> None:
            case.path_parameters = {
                name: there[name] if known else value for name, value in (case.path_parameters or {}).items()
            }
            response = case.call(headers=headers)
            statuses.add(response.status_code)
            case.validate_response(response, checks=CHECKS)

        one()
    return statuses


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_no_generated_request_is_an_error(mode: GenerationMode, call: Call, there: Any, settings: Any) -> None:
    settings.API_REQUESTS_PER_MINUTE = 10**6
    statuses = send(call, there, 3, mode)
    assert {200, 404} <= statuses if mode is GenerationMode.POSITIVE else 422 in statuses


@pytest.mark.trial
@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_none_of_many_generated_requests_is_an_error(
    mode: GenerationMode, call: Call, there: Any, settings: Any
) -> None:
    settings.API_REQUESTS_PER_MINUTE = 10**6
    send(call, there, 300, mode)
