"""What can be read, a page at a time, and how errors look."""

import math
from typing import Any

import pytest
from django.test import Client

from plumbline.api.cursors import decode, encode
from plumbline.audits.models import ModelUnderAudit, Plan, Run
from plumbline.findings.models import Finding
from plumbline.findings.updating import update
from plumbline.vocab.models import Bank, BankItem, Group, GroupList, TraitList, TraitPair
from tests.plumbline.api.conftest import Call, Caller
from tests.plumbline.findings.audited import a_plan, a_run, difference
from tests.plumbline.results.conftest import CELLS, Load, load  # noqa: F401 - a fixture

pytestmark = pytest.mark.django_db


def walked(caller: Caller, path: str, **query: Any) -> list[Any]:
    """All rows of a list, two a page."""
    rows: list[Any] = []
    cursor: Any = ""
    while cursor is not None:
        body = caller.get(path, {"limit": 2, "cursor": cursor, **query}).json()
        rows += body["items"]
        assert len(body["items"]) <= 2
        cursor = body["next"]
    return rows


@pytest.fixture
def viewer(call: Call) -> Caller:
    return call("viewer")


def test_runs_come_newest_first_and_a_page_goes_on_after_its_last_row(viewer: Caller) -> None:
    runs = [a_run().pk for _ in range(5)]
    assert [one["id"] for one in walked(viewer, "runs")] == runs[::-1]
    first = viewer.get("runs", {"limit": 2}).json()
    a_run()
    second = viewer.get("runs", {"limit": 2, "cursor": first["next"]}).json()
    assert [one["id"] for one in second["items"]] == [runs[2], runs[1]]


def test_runs_are_filtered(viewer: Caller) -> None:
    plan = a_plan()
    own, other = a_run(plan=plan), a_run(model="hub:org/n@a", probe="bbq")
    for query, found in [
        ({"plan": plan.pk}, own),
        ({"model": "hub:org/n@a"}, other),
        ({"probe": "ilps", "state": "done"}, own),
    ]:
        assert [one["id"] for one in viewer.get("runs", query).json()["items"]] == [found.pk]
    assert viewer.get("runs", {"state": "planning"}).json() == {"items": [], "next": None}
    assert viewer.get("runs", {"state": "x"}).status_code == 422


def test_a_run_has_its_spec_and_no_traceback(viewer: Caller) -> None:
    run = a_run()
    Run.objects.filter(pk=run.pk).update(traceback="File secret.py", provenance={"device": "cpu"})
    response = viewer.get(f"runs/{run.pk}")
    assert response.json()["spec"]["probe"] == "ilps"
    assert response.json()["provenance"] == {"device": "cpu"}
    assert response.json()["tables"] == ["association"]
    assert b"secret" not in response.content


def test_measures_are_those_of_the_spec_unless_other_priors_are_chosen(viewer: Caller) -> None:
    other = difference("kind", 0.3, variant="prior: none")
    run = a_run(difference("kind", 0.5), difference("cold", -0.5), difference("warm", 0.0, verdict="absent"), other)
    a_run(difference("not of this run", 1.0))
    path = f"runs/{run.pk}/measures"
    assert [one["attribute"] for one in walked(viewer, path)] == ["kind", "cold", "warm"]
    assert [one["value"] for one in walked(viewer, path, other_priors="true")] == [0.3]
    assert [one["attribute"] for one in walked(viewer, path, verdict="absent")] == ["warm"]
    assert walked(viewer, path, attribute="cold", group_a="men") == []


def test_infinity_is_null(viewer: Caller) -> None:
    run = a_run(difference("kind", math.inf))
    (found,) = viewer.get(f"runs/{run.pk}/measures").json()["items"]
    assert found["value"] is None


def test_items_have_the_columns_of_their_view(viewer: Caller, load: Load) -> None:  # noqa: F811
    run = a_run()
    load(run.pk, CELLS, shard=3)
    load(run.pk + 1, CELLS)
    found = walked(viewer, f"runs/{run.pk}/items")
    assert [(one["template"], one["group"], one["attribute"], one["score"], one["reason"]) for one in found] == CELLS
    assert {(one["run"], one["shard"], one["probe"]) for one in found} == {(run.pk, 3, "ilps")}
    women = walked(viewer, f"runs/{run.pk}/items", table="association", group="women", attribute="powerless")
    assert [one["score"] for one in women] == [1.4, 0.8]
    assert [one["attribute"] for one in walked(viewer, f"runs/{run.pk}/items", scorable="false")] == ["yare"]
    assert walked(viewer, f"runs/{run.pk}/items", group="nobody") == []


def test_a_filter_that_a_table_does_not_have_is_refused(viewer: Caller) -> None:
    refused = viewer.get(f"runs/{a_run().pk}/items", {"table": "answer", "attribute": "kind"})
    assert refused.status_code == 422
    assert "have no 'attribute'; choose from" in refused.json()["detail"]
    assert viewer.get(f"runs/{a_run().pk}/items", {"table": "pg_user"}).status_code == 422


def test_a_finding_has_what_each_run_showed(viewer: Caller) -> None:
    run = a_run(difference("kind", 0.5), plan=a_plan())
    update(run)
    (found,) = viewer.get("findings", {"run": run.pk}).json()["items"]
    assert (found["attribute"], found["state"], found["latest"]["value"]) == ("kind", "new", 0.5)
    one = viewer.get(f"findings/{found['id']}").json()
    assert [observed["run"] for observed in one["observations"]] == [run.pk]
    assert found["latest"]["sentence"] == Finding.objects.get().latest.sentence  # type: ignore[union-attr]
    assert viewer.get("findings", {"outcome": "gone"}).json()["items"] == []


def test_words_have_their_lists_versions_and_entries(viewer: Caller) -> None:
    groups = GroupList.objects.create(slug="g", title="Groups", licence="CC0")
    for label in ("women", "men", "people"):
        Group.objects.create(word_list=groups, label=label)
    traits = TraitList.objects.create(slug="t", title="Traits")
    TraitPair.objects.create(word_list=traits, left="cold", right="warm")
    assert [one["slug"] for one in viewer.get("words", {"kind": "groups"}).json()] == ["g"]
    assert {one["kind"] for one in viewer.get("words").json()} == {"groups", "traits"}
    assert [one["label"] for one in walked(viewer, "words/groups/g/entries")] == ["women", "men", "people"]
    for path in ("words/groups/g", "words/traits/t"):
        assert len(viewer.get(path).json()["version"]) == 64
    assert viewer.get("words/groups/t").status_code == 404
    assert viewer.get("words/secrets/t").status_code == 422


def test_a_list_without_entries_has_no_version(viewer: Caller) -> None:
    GroupList.objects.create(slug="empty", title="Empty")
    assert viewer.get("words/groups/empty").json()["version"] == ""


def test_no_question_of_a_bank_is_sent(viewer: Caller) -> None:
    bank = Bank.objects.create(slug="b", title="B", kind="bbq", licence="not to be passed on", digest="0" * 64)
    BankItem.objects.create(bank=bank, position=0, content={"id": "q", "context": "a licensed text"})
    response = viewer.get("banks")
    assert response.json()["items"][0]["licence"] == "not to be passed on"
    assert b"a licensed text" not in response.content


def test_models_and_plans(viewer: Caller) -> None:
    ModelUnderAudit.objects.create(reference="hub:org/m@a")
    plan = Plan.objects.create(name="weekly", spec={"probe": "ilps", "model": "hub:org/m@a"})
    assert [one["reference"] for one in viewer.get("models", {"reference": "hub:org/m@a"}).json()["items"]]
    assert viewer.get("models", {"reference": "other"}).json()["items"] == []
    assert viewer.get("plans").json()["items"][0]["models"] == ["hub:org/m@a"]
    assert viewer.get(f"plans/{plan.pk}").json()["spec"]["probe"] == "ilps"


def test_what_a_client_has_is_not_sent_again(viewer: Caller) -> None:
    a_run()
    first = viewer.get("runs")
    again = viewer.get("runs", If_None_Match=first["ETag"])
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    a_run()
    assert viewer.get("runs", If_None_Match=first["ETag"]).status_code == 200
    assert "Authorization" in first["Vary"]
    assert first["Cache-Control"] == "private, no-cache"


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("runs/999999", 404),
        ("findings/999999", 404),
        ("nothing", 404),
        ("runs/0", 422),
        (f"runs/{2**63}/items", 422),
        (f"runs/{'9' * 400}/measures", 422),
        ("runs?limit=0", 422),
        ("runs?limit=501", 422),
        ("runs?model=%00", 400),
        ("words/groups/%00", 400),
        ("runs?cursor=nonsense", 400),
        ("runs?cursor=%C3%A9", 400),
        (f"runs?cursor={encode('findings', 1)}", 400),
        ("runs?plan=1e9", 422),
    ],
)
def test_errors_are_problems(viewer: Caller, path: str, status: int) -> None:
    response = viewer.get(path)
    assert (response.status_code, response["Content-Type"]) == (status, "application/problem+json")
    body = response.json()
    assert (body["status"], body["type"]) == (status, "about:blank")
    assert body["title"]
    assert body["detail"].endswith(".")


def test_a_wrong_method_and_a_large_body_are_problems_too(viewer: Caller) -> None:
    refused = viewer.client.delete("/api/v1/runs")
    assert (refused.status_code, refused["Content-Type"]) == (405, "application/problem+json")
    assert "GET" in refused["Allow"]
    large = viewer.client.post("/api/v1/plans/1/launches", "x", content_type="text/plain", CONTENT_LENGTH="999999999")
    assert (large.status_code, large["Content-Type"]) == (413, "application/problem+json")


@pytest.mark.parametrize("debug", [True, False])
def test_an_error_of_the_server_shows_no_traceback(viewer: Caller, settings: Any, debug: bool) -> None:
    settings.DEBUG = debug
    run = a_run()
    # A spec that no release writes, as a damaged database may hold it.
    Run.objects.filter(pk=run.pk).update(spec=["damaged"])
    response = viewer.get(f"runs/{run.pk}")
    assert (response.status_code, response["Content-Type"]) == (500, "application/problem+json")
    assert set(response.json()) == {"type", "title", "status", "detail"}
    assert b"damaged" not in response.content


def test_a_cursor_keeps_its_key_and_belongs_to_one_list() -> None:
    assert decode("runs", encode("runs", 12)) == 12
    assert decode("runs", "") is None


def test_the_document_describes_every_operation(viewer: Caller) -> None:
    document = viewer.get("openapi.json").json()
    operations = [one for path in document["paths"].values() for one in path.values()]
    assert len({one["operationId"] for one in operations}) == len(operations) >= 15
    assert all({"401", "403", "429"} <= set(one["responses"]) for one in operations)
    assert Client().get("/api/v1/openapi.json").status_code == 401
