"""The Python client: as the document has it, and used against a running server."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from pytest_django.live_server_helper import LiveServer

from client.plumbline_client import ApiError, Plumbline
from plumbline.api import tokens
from plumbline.api.client_source import client_source
from plumbline.api.models import Token
from plumbline.api.scopes import Scope
from plumbline.api.v1 import api
from plumbline.audits.models import Plan, Run
from tests.plumbline.audits.conftest import SPEC, curated  # noqa: F401 - a fixture
from tests.plumbline.findings.audited import a_run, difference

FILE = Path(__file__).parents[3] / "client/plumbline_client.py"
DOCS = Path(__file__).parents[3] / "docs/api.md"


def test_the_client_is_what_the_document_gives() -> None:
    """If this fails: manage.py api client --out client/plumbline_client.py."""
    assert FILE.read_text() == client_source(api.get_openapi_schema())


def test_each_operation_has_a_method() -> None:
    for path in api.get_openapi_schema()["paths"].values():
        for operation in path.values():
            assert callable(getattr(Plumbline, operation["operationId"]))


@pytest.fixture
def plumbline(live_server: LiveServer, empty_results: None) -> Plumbline:
    _, secret = tokens.make("client", [Scope.READ, Scope.LAUNCH], 1, person=None)
    return Plumbline(live_server.url + "/", secret)


def test_a_program_reads_pages_launches_and_sees_errors(
    plumbline: Plumbline,
    curated: None,  # noqa: F811
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = a_run(*(difference(word, 0.5) for word in ("kind", "cold", "warm")))
    pages = plumbline.pages(plumbline.list_measures, run.pk, limit=2, other_priors=False)
    assert [row["attribute"] for row in pages] == ["kind", "cold", "warm"]
    assert plumbline.get_run(run.pk)["state"] == "done"

    plan = Plan.objects.create(name="traits", spec=SPEC)
    first, again = (
        plumbline.launch_plan(plan.pk, {"accept_warnings": True}, idempotency_key="monday") for _ in range(2)
    )
    assert first["runs"][0]["id"] == again["runs"][0]["id"] == Run.objects.latest("pk").pk
    with pytest.raises(ApiError, match=r"409 Conflict: Not launched: no result of this plan"):
        plumbline.launch_plan(plan.pk, {}, idempotency_key="tuesday")
    with pytest.raises(ApiError, match="404 Not Found"):
        plumbline.get_run(999999)
    with pytest.raises(ApiError, match="401 Unauthorized"):
        Plumbline(plumbline.address, "wrong").get_me()

    waits: list[float] = []

    def next_minute(seconds: float) -> None:
        waits.append(seconds)
        Token.objects.update(window_began_at=None)

    monkeypatch.setattr("time.sleep", next_minute)
    settings.API_REQUESTS_PER_MINUTE = 1
    assert plumbline.get_me()["person"] is None
    assert len(waits) == 1
    assert 1 <= waits[0] <= 60


def test_the_example_of_the_docs_counts_what_is_present(
    plumbline: Plumbline, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = a_run(*(difference(word, 0.5) for word in ("kind", "cold")), difference("warm", 0.0, verdict="absent"))
    (example,) = re.findall(r"```python\n(.*?)```", DOCS.read_text(), re.DOTALL)
    monkeypatch.syspath_prepend(str(FILE.parent))
    monkeypatch.setenv("PLUMBLINE_ADDRESS", plumbline.address)
    monkeypatch.setenv("PLUMBLINE_TOKEN", plumbline.token)
    exec(compile(example, str(DOCS), "exec"), {})  # noqa: S102
    assert capsys.readouterr().out == f"{run.pk} {run.model} 2\n"


def test_an_address_needs_its_scheme() -> None:
    with pytest.raises(ValueError, match="https://"):
        Plumbline("file:///etc/passwd", "t")


@pytest.mark.django_db
class TestCommand:
    def test_it_writes_the_document_and_the_client(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        call_command("api", "schema", out=tmp_path / "openapi.json")
        assert json.loads((tmp_path / "openapi.json").read_text())["info"]["title"] == "Plumbline"
        call_command("api", "client")
        assert capsys.readouterr().out == FILE.read_text()
        with pytest.raises(CommandError, match="cannot be written"):
            call_command("api", "client", out=tmp_path / "nowhere/client.py")

    def test_a_machine_gets_a_token_and_loses_it(self, capsys: pytest.CaptureFixture[str]) -> None:
        call_command("api", "token", "prometheus", "--scope", "metrics", "--days", "10")
        secret = capsys.readouterr().out.strip()
        admitted = tokens.admit(secret)
        assert admitted
        assert admitted.token.scopes == ["metrics"]
        call_command("api", "tokens")
        assert "prometheus  a machine  metrics  until" in capsys.readouterr().out
        call_command("api", "revoke", str(admitted.token.pk))
        assert tokens.admit(secret) is None

    @pytest.mark.parametrize(
        ("arguments", "fault"),
        [
            (["token", "x", "--scope", "read", "--days", "0"], "from 1 to 365 days"),
            (["token", " ", "--scope", "read"], "the name is empty"),
            (["revoke", "999999"], "'api tokens' lists them"),
        ],
    )
    def test_wrong_arguments_name_the_remedy(self, arguments: list[str], fault: str) -> None:
        with pytest.raises(CommandError, match=fault):
            call_command("api", *arguments)
