"""The pages of models under audit: what workers found out, and asking them."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse
from django.utils.html import escape
from pytest_django import DjangoAssertNumQueries
from pytest_django.fixtures import Settings

from plumbline.audits.forms import PlanForm
from plumbline.audits.models import ModelCheck, ModelUnderAudit, Plan, Schedule
from plumbline.audits.presence import NOBODY
from plumbline.audits.states import WorkState
from plumbline.spec.reference import Scheme
from tests.plumbline.audits.conftest import SPEC

pytestmark = pytest.mark.django_db
PAGE = "admin:audits_modelunderaudit_changelist"


@pytest.fixture
def model() -> ModelUnderAudit:
    return ModelUnderAudit.objects.create(reference="bundled:masked-demo", title="<i>Demo</i>")


@pytest.fixture
def log_in(client: Client) -> Any:
    def of(role: str) -> Client:
        person = User.objects.create_user(role, is_staff=True)
        person.groups.add(Group.objects.get(name=role))
        client.force_login(person)
        return client

    return of


def answered(model: ModelUnderAudit, **found: Any) -> None:
    ModelCheck.objects.create(model=model, state=WorkState.DONE, **found)


def act(client: Client, *models: ModelUnderAudit) -> list[str]:
    """Ask for checks; what the page says about it."""
    chosen = {"action": "ask_check", "_selected_action": [model.pk for model in models]}
    answer = client.post(reverse(PAGE), chosen, follow=True)
    return [str(message) for message in answer.context["messages"]]


def test_the_latest_check_of_each_model_is_shown(model: ModelUnderAudit, log_in: Any) -> None:
    other = ModelUnderAudit.objects.create(reference="hub:org/other")
    answered(model, kind="causal", parameters=1)
    answered(model, kind="masked", parameters=22_713_216, tokenizer="BertTokenizer", vocabulary=30_522)
    answered(other, error="the hub cannot be reached")
    shown = log_in("viewer").get(reverse(PAGE)).content.decode()
    assert all(one in shown for one in ("masked", "22,713,216", "BertTokenizer", "30,522", "does not load"))
    assert "causal" not in shown
    assert "&lt;i&gt;Demo" in shown
    page = reverse("admin:audits_modelunderaudit_change", args=[other.pk])
    assert "the hub cannot be reached" in log_in("auditor").get(page).content.decode()


def test_a_new_model_is_checked_at_once_and_leads_to_a_plan_that_audits_it(log_in: Any) -> None:
    page = reverse("admin:audits_modelunderaudit_add")
    answer = log_in("auditor").post(page, {"reference": "bundled:mcq-demo", "title": "", "tags": ""}, follow=True)
    assert ModelCheck.objects.get().model.reference == "bundled:mcq-demo"
    told = [str(message) for message in answer.context["messages"]]
    assert len(told) == 2
    assert "was added successfully" in told[0]
    button = '<a class="message-button" href="/plans/new/?model=bundled%3Amcq-demo">Make a plan that audits it</a>'
    assert told[1] == f"{escape(f'No worker can check it now: {NOBODY}.')} {button}"


@pytest.mark.parametrize(("role", "plans"), [("viewer", False), ("auditor", True)])
def test_the_form_leads_to_the_models_audits_and_to_a_new_plan(
    model: ModelUnderAudit, log_in: Any, role: str, plans: bool
) -> None:
    shown = log_in(role).get(reverse("admin:audits_modelunderaudit_change", args=[model.pk])).content.decode()
    assert '/models/history/?reference=bundled%3Amasked-demo"' in shown
    assert ('/plans/new/?model=bundled%3Amasked-demo"' in shown) is plans


def test_the_kind_of_a_bundled_model_is_shown_before_its_check(log_in: Any) -> None:
    model = ModelUnderAudit.objects.create(reference="bundled:mcq-demo")
    page = reverse("admin:audits_modelunderaudit_change", args=[model.pk])
    assert "multiple-choice" in log_in("auditor").get(page).content.decode()


@pytest.mark.parametrize("is_list", [True, False])
def test_a_page_asks_for_an_open_check_until_it_has_an_answer(
    model: ModelUnderAudit, log_in: Any, is_list: bool
) -> None:
    check = ModelCheck.objects.create(model=model, state=WorkState.READY)
    client, asking = log_in("auditor"), reverse("admin:audits_modelunderaudit_open_checks")
    page = reverse(PAGE) if is_list else reverse("admin:audits_modelunderaudit_change", args=[model.pk])
    shown = client.get(page).content.decode()
    assert f'data-open-check="{check.pk}" data-open-checks="{asking}"' in shown
    assert "admin-plumbline/model-check.js" in shown
    assert client.get(asking).json() == {"open": [check.pk]}
    ModelCheck.objects.update(state=WorkState.DONE)
    assert client.get(asking).json() == {"open": []}
    assert "data-open-check=" not in client.get(page).content.decode()


def test_who_may_not_see_models_does_not_ask_for_open_checks(client: Client) -> None:
    client.force_login(User.objects.create_user("nobody", is_staff=True))
    assert client.get(reverse("admin:audits_modelunderaudit_open_checks")).status_code == 403


def test_the_form_of_a_new_model_says_how_each_kind_is_written(log_in: Any) -> None:
    page = log_in("auditor").get(reverse("admin:audits_modelunderaudit_add")).content.decode()
    kinds = re.search(r"<ul>(.*?)</ul>", page, re.DOTALL)
    assert kinds
    assert all(f"{scheme}:" in kinds[1] for scheme in set(Scheme) - {Scheme.ANSWERS})


@pytest.mark.parametrize(
    ("roots", "told"),
    [
        ([], "because the setting MODEL_ROOTS is empty. An operator lists there the folders with models."),
        (["/srv/<models>", "/b"], "It must lie below /srv/&lt;models&gt; or /b, as the setting MODEL_ROOTS says."),
    ],
)
def test_the_form_of_a_new_model_says_which_folders_it_takes(
    log_in: Any, settings: Settings, roots: list[str], told: str
) -> None:
    settings.MODEL_ROOTS = roots
    page = log_in("auditor").get(reverse("admin:audits_modelunderaudit_add")).content.decode()
    assert told in page


def test_the_form_of_a_new_model_names_the_bundled_models(log_in: Any) -> None:
    page = log_in("auditor").get(reverse("admin:audits_modelunderaudit_add")).content.decode()
    assert "to try things out: <code>bundled:smollm2-135m, bundled:masked-demo, bundled:mcq-demo</code>." in page


def test_an_auditor_asks_and_hears_that_nobody_works(model: ModelUnderAudit, log_in: Any) -> None:
    client = log_in("auditor")
    assert act(client, model) == [
        "<i>Demo</i>: a worker checks it; this page shows its answer by itself.",
        f"No worker can answer now: {NOBODY}.",
    ]
    assert act(client, model)[0] == "<i>Demo</i>: this request is already queued."
    check = ModelCheck.objects.get()
    assert (check.model, check.asked_by, check.verdict) == (model, User.objects.get(), "waits for a worker")


@pytest.mark.parametrize("role", ["viewer", "reviewer", "curator"])
def test_who_may_not_launch_may_not_ask(model: ModelUnderAudit, log_in: Any, role: str) -> None:
    act(log_in(role), model)
    assert not ModelCheck.objects.exists()


def test_a_model_is_found_by_its_reference_and_title(model: ModelUnderAudit, log_in: Any) -> None:
    ModelUnderAudit.objects.create(reference="hub:org/other")
    shown = log_in("viewer").get(reverse(PAGE), {"q": "demo"}).content.decode()
    assert "bundled:masked-demo" in shown
    assert "hub:org/other" not in shown


def test_more_models_and_checks_take_no_more_queries(
    log_in: Any, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(30):
        model = ModelUnderAudit.objects.create(reference=f"hub:org/model{number}")
        for _ in range(3):
            answered(model, kind="masked")
    client = log_in("viewer")
    with django_assert_max_num_queries(12):
        assert client.get(reverse(PAGE)).status_code == 200


def test_a_model_is_deleted_with_its_checks(model: ModelUnderAudit, log_in: Any) -> None:
    answered(model, kind="masked")
    page = reverse("admin:audits_modelunderaudit_delete", args=[model.pk])
    assert log_in("auditor").post(page, {"post": "yes"}).status_code == 302
    assert not ModelCheck.objects.exists()


def test_a_model_that_a_schedule_names_is_not_deleted(model: ModelUnderAudit, log_in: Any) -> None:
    """The schedule would go on, with the model of its plan."""
    schedule = Schedule.objects.create(plan=Plan.objects.create(name="<b>traits", spec=SPEC), cron="0 6 * * 1")
    schedule.audited_models.add(model)
    other = ModelUnderAudit.objects.create(reference="hub:org/other")
    one, many = reverse("admin:audits_modelunderaudit_delete", args=[model.pk]), reverse(PAGE)
    several = {"action": "delete_selected", "_selected_action": [model.pk, other.pk], "post": "yes"}
    client = log_in("auditor")
    for where, posted in ((one, {"post": "yes"}), (many, several)):
        shown = client.post(where, posted).content.decode()
        assert f"Schedule {schedule.pk} (&lt;b&gt;traits: every Monday at 06:00, UTC) names &lt;i&gt;Demo" in shown
    assert list(schedule.audited_models.all()) == [model]
    assert ModelUnderAudit.objects.count() == 2
    schedule.audited_models.clear()
    assert client.post(many, several).status_code == 302
    assert not ModelUnderAudit.objects.exists()


def test_a_plan_takes_a_model_that_is_chosen_and_keeps_the_rest(model: ModelUnderAudit) -> None:
    typed = {"name": "traits", "description": "", "spec": SPEC, "audited": model.pk}
    form = PlanForm(typed)
    assert form.is_valid(), form.errors
    assert form.save().spec == {**SPEC, "model": "bundled:masked-demo"}


def test_a_chosen_model_replaces_a_missing_one_of_the_spec(model: ModelUnderAudit) -> None:
    spec = {key: value for key, value in SPEC.items() if key != "model"}
    assert not PlanForm({"name": "traits", "spec": spec}).is_valid()
    assert PlanForm({"name": "traits", "spec": spec, "audited": model.pk}).is_valid()


def test_a_page_may_not_choose_a_folder_that_it_may_not_name(settings: Settings) -> None:
    """A command may have put it under audit."""
    settings.MODEL_ROOTS = []
    model = ModelUnderAudit.objects.create(reference="path:/srv/secret")
    form = PlanForm({"name": "traits", "spec": SPEC, "audited": model.pk})
    assert "because the setting MODEL_ROOTS is empty" in form.errors["spec"][0]


def test_the_models_to_choose_from_are_searched_as_one_types(model: ModelUnderAudit, log_in: Any) -> None:
    ModelUnderAudit.objects.create(reference="hub:org/other")
    client = log_in("auditor")
    assert 'data-field-name="model"' in client.get(reverse("admin:audits_plan_add")).content.decode()
    where = {"app_label": "audits", "model_name": "modelcheck", "field_name": "model", "term": "demo"}
    found = client.get(reverse("admin:autocomplete"), where).json()["results"]
    assert [one["id"] for one in found] == [str(model.pk)]
