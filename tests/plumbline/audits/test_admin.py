import json
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.db import connection
from django.db.models import Model
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django.fixtures import Settings

from plumbline import embedded
from plumbline.audits import clock, life
from plumbline.audits.launching import launch
from plumbline.audits.mail import notices
from plumbline.audits.models import (
    AddedWord,
    Comparison,
    ComparisonRequest,
    Launch,
    MapRequest,
    MethodAgreement,
    ModelUnderAudit,
    Notice,
    Outcome,
    PaddingComparison,
    Phase,
    Plan,
    Run,
    Schedule,
    Shard,
    Snapshot,
    WordTest,
    WorkerProcess,
)
from plumbline.audits.states import RunState
from plumbline.spec.audit import parse
from tests.plumbline.audits.conftest import SPEC, lay_out

EDITED = (ModelUnderAudit, Plan, Schedule)
LOOKED_AT = (
    AddedWord,
    Run,
    Shard,
    Snapshot,
    Launch,
    Comparison,
    ComparisonRequest,
    MapRequest,
    MethodAgreement,
    PaddingComparison,
    WordTest,
    Notice,
    WorkerProcess,
)
MODELS = (*EDITED, *LOOKED_AT)

models = pytest.mark.parametrize("model", MODELS)


def page(model: type[Model], action: str, *args: object) -> str:
    return reverse(f"admin:audits_{model._meta.model_name}_{action}", args=args)


def any_of(model: type[Model]) -> Any:
    return model._default_manager.values_list("pk", flat=True)[0]


@pytest.fixture
def ended(scoring: Phase) -> Run:
    """A run with shards, cancelled; its model, plan and snapshots; a schedule and what came of it."""
    life.cancel(scoring.run_id)
    come_of("traits", Run.objects.get())
    return Run.objects.get()


def come_of(name: str, run: Run) -> Schedule:
    """A schedule of a new plan, of which this run came, with its comparison, a notice and a worker."""
    schedule = Schedule.objects.create(plan=Plan.objects.create(name=name, spec=SPEC), cron="0 6 * * *")
    Launch.objects.create(schedule=schedule, run=run, due_at=clock.now(), model="x", outcome=Outcome.LAUNCHED)
    Comparison.objects.create(run=run, paired=1, only_previous=0, only_new=0, not_scorable=0, cells=1, moved=0)
    ComparisonRequest.objects.create(first=run, second=run)
    MapRequest.objects.create(run=run, statistic="score", method="pca")
    PaddingComparison.objects.create(run=run, key=name)
    MethodAgreement.objects.create(model=run.model, key=name)
    WordTest.objects.create(kind="names", slug="names", key=name)
    AddedWord.objects.create(run=run, small=run, kind="target", word="welder")
    notices.write(schedule, f"about {name}", "subject", ["body"])
    WorkerProcess.objects.create(name=name, run=run, started_at=clock.now(), seen_at=clock.now())
    return schedule


@pytest.fixture
def admin_client(db: None, client: Client) -> Client:
    """A superuser without a password, whose hashing would take most of the time of these tests."""
    client.force_login(User.objects.create(username="root", is_staff=True, is_superuser=True))
    return client


@pytest.fixture
def viewer_client(db: None, client: Client) -> Client:
    """One who may look at everything and do nothing."""
    viewer = User.objects.create(username="vera", is_staff=True)
    viewer.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))
    client.force_login(viewer)
    return client


@models
def test_each_page_is_there_for_a_superuser(admin_client: Client, ended: Run, model: type[Model]) -> None:
    assert admin_client.get(page(model, "changelist")).status_code == 200
    assert admin_client.get(page(model, "change", any_of(model))).status_code == 200


@models
def test_a_stranger_is_sent_to_the_login(client: Client, ended: Run, model: type[Model]) -> None:
    for address in (page(model, "changelist"), page(model, "add"), page(model, "change", any_of(model))):
        assert client.get(address).status_code == 302


@models
def test_a_viewer_sees_and_does_nothing(viewer_client: Client, ended: Run, model: type[Model]) -> None:
    assert viewer_client.get(page(model, "changelist")).status_code == 200
    assert viewer_client.get(page(model, "change", any_of(model))).status_code == 200
    assert viewer_client.get(page(model, "add")).status_code == 403
    assert viewer_client.post(page(model, "delete", any_of(model)), {"post": "yes"}).status_code == 403


@pytest.mark.parametrize("model", LOOKED_AT)
def test_what_workers_write_nobody_adds_or_changes(admin_client: Client, ended: Run, model: type[Model]) -> None:
    assert admin_client.get(page(model, "add")).status_code == 403
    assert admin_client.post(page(model, "change", any_of(model)), {"name": "x"}).status_code == 403


@pytest.mark.parametrize("model", [Shard, Snapshot])
def test_snapshots_of_a_run_are_not_deleted_with_another_run(
    admin_client: Client, ended: Run, model: type[Model]
) -> None:
    assert admin_client.post(page(model, "delete", any_of(model)), {"post": "yes"}).status_code == 403


@models
def test_a_page_of_all_asks_no_more_for_more_rows(admin_client: Client, ended: Run, model: type[Model]) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert admin_client.get(page(model, "changelist")).status_code == 200
        return len(captured)

    few, rows = queries(), model._default_manager.count()
    for number in range(3):
        spec = {**SPEC, "model": f"path:{number}", "attributes": {"inline": ["kind"]}, "name": f"run {number}"}
        lay_out(run := launch(parse(spec)), 5)
        come_of(f"plan {number}", run)
        Snapshot.objects.create(sha256=str(number), content={"kind": "groups", "slug": "x", "entries": [number]})
    assert model._default_manager.count() >= rows + 3
    assert queries() == few


def test_the_page_of_a_run_asks_no_more_for_more_shards(admin_client: Client, run: Run) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert admin_client.get(page(Run, "change", run.pk)).status_code == 200
        return len(captured)

    lay_out(run, 2)
    queries()  # fills the caches of this process
    few = queries()
    phase = run.phases.get(name="scoring")
    Shard.objects.bulk_create(Shard(run=run, phase=phase, number=n, items=[], planned_rows={}) for n in range(2, 60))
    assert queries() == few


def test_a_run_shows_its_phases_and_leads_to_their_shards(admin_client: Client, scoring: Phase) -> None:
    Shard.objects.filter(number=0).update(state="done")
    shown = admin_client.get(page(Run, "change", scoring.run_id)).content.decode()
    assert f'{page(Shard, "changelist")}?phase__id__exact={scoring.pk}">1 of 3</a>' in shown


def test_a_run_leads_to_the_lists_that_it_froze(admin_client: Client, run: Run) -> None:
    shown = admin_client.get(page(Run, "change", run.pk)).content.decode()
    lists = {page(Snapshot, "change", found.pk): found.content["slug"] for found in run.snapshots.all()}
    assert set(lists.values()) == {"gender", "jobs"}
    assert all(f'<a href="{address}">{slug}</a>' in shown for address, slug in lists.items())


def test_shards_are_filtered_by_phase_and_run(admin_client: Client, scoring: Phase) -> None:
    lay_out(launch(parse({**SPEC, "seed": 1})), 4)
    for filters in (f"phase__id__exact={scoring.pk}", f"run__id__exact={scoring.run_id}&state__exact=ready"):
        found = admin_client.get(f"{page(Shard, 'changelist')}?{filters}")
        assert found.context["cl"].result_count == 3


def test_the_items_of_a_shard_are_not_read(admin_client: Client, scoring: Phase) -> None:
    Shard.objects.update(items=["a needle in the hay"])
    with CaptureQueriesContext(connection) as captured:
        shown = admin_client.get(page(Shard, "change", any_of(Shard))).content.decode()
    assert "needle" not in shown
    assert not [query for query in captured if '"audits_shard"."items"' in query["sql"]]


def test_a_hostile_name_is_shown_as_text(admin_client: Client, run: Run) -> None:
    Run.objects.update(name="<script>alert(1)</script>", error="<img src=x>")
    for address in (page(Run, "changelist"), page(Run, "change", run.pk)):
        shown = admin_client.get(address).content.decode()
        assert "<script>alert(1)" not in shown
        assert "<img src=x>" not in shown


Submit = Callable[..., Any]


@pytest.fixture
def submit(admin_client: Client) -> Submit:
    """Post a plan's form; the errors of its spec, none when it was accepted."""

    def post(spec: object, **fields: str) -> list[str]:
        text = spec if isinstance(spec, str) else json.dumps(spec)
        answer = admin_client.post(page(Plan, "add"), {"name": "traits", "spec": text, **fields})
        return [] if answer.status_code == 302 else list(answer.context["adminform"].form.errors.get("spec", []))

    return post


def test_a_plan_keeps_the_spec_as_it_was_typed(submit: Submit) -> None:
    spec = {**SPEC, "model": "hub:org/bert"}
    assert submit(spec) == []
    assert Plan.objects.get().spec == spec


def test_a_folder_out_of_reach_is_refused_in_one_line(submit: Submit, settings: Settings) -> None:
    (error,) = submit(SPEC)
    assert f"It must lie below {embedded.own_models(settings.VAR_DIR)}, as the setting MODEL_ROOTS says." in error
    settings.MODEL_ROOTS = []
    (error,) = submit(SPEC)
    assert error.startswith("path:./some/dir is refused. A folder (path:DIR) cannot be named here, because the")
    assert not Plan.objects.exists()


@pytest.mark.parametrize(
    ("spec", "fault"),
    [
        ({**SPEC, "probe": "ipls"}, "the spec names the unknown probe 'ipls'; the probes are"),
        ({**SPEC, "tempaltes": 1}, "spec 'traits': tempaltes: unknown key; remove it or check its spelling"),
        (["ilps"], "an audit spec must be a mapping with keys"),
        ("{probe: ilps", "Enter a valid JSON. It is no JSON: Expecting property name"),
        ("", "This field is required."),
    ],
)
def test_a_wrong_spec_is_refused_in_one_line(submit: Submit, spec: object, fault: str) -> None:
    (error,) = submit(spec)
    assert error.startswith(fault)
    assert "\n" not in error
    assert not Plan.objects.exists()


def test_what_names_no_model_is_refused_in_one_line(admin_client: Client) -> None:
    answer = admin_client.post(page(ModelUnderAudit, "add"), {"reference": "bert"})
    (error,) = answer.context["adminform"].form.errors["reference"]
    assert error.startswith("'bert' does not name a model: write hub:org/name@revision")
    assert admin_client.post(page(ModelUnderAudit, "add"), {"reference": "hub:org/bert"}).status_code == 302


def test_a_superuser_deletes_an_ended_run(admin_client: Client, ended: Run) -> None:
    assert admin_client.get(page(Run, "delete", ended.pk)).status_code == 200
    assert admin_client.post(page(Run, "delete", ended.pk), {"post": "yes"}).status_code == 302
    assert not Run.objects.exists()
    assert not Shard.objects.exists()
    assert Snapshot.objects.exists()


def test_a_living_run_is_to_be_cancelled_first(admin_client: Client, run: Run) -> None:
    shown = admin_client.post(page(Run, "delete", run.pk), {"post": "yes"}).content.decode()
    assert f"run {run.pk}: traits is planning: cancel it first" in shown
    selected = {"action": "delete_selected", "_selected_action": [run.pk], "post": "yes"}
    admin_client.post(page(Run, "changelist"), selected)
    assert Run.objects.get().state == RunState.PLANNING
