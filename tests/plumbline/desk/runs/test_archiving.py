"""Titles on pages and in the search; archived models and plans leave the lists and can be brought back."""

import pytest
from django.test import Client
from django.urls import reverse

from plumbline.audits.models import ModelUnderAudit, Plan, Run, Schedule
from plumbline.vocab.models.recorded import EVENTS
from tests.plumbline.desk.findings.conftest import LogIn, log_in
from tests.plumbline.desk.findings.conftest import run as found

pytestmark = pytest.mark.django_db
__all__ = ["found", "log_in"]


@pytest.fixture
def model(found: Run) -> ModelUnderAudit:
    made, _ = ModelUnderAudit.objects.update_or_create(
        reference=found.model, defaults={"title": "<Support> chat", "tags": "chat, pilot"}
    )
    return made


def page(client: Client, name: str, *arguments: int, **query: str) -> str:
    return client.get(reverse(name, args=arguments), query).content.decode()


def move(client: Client, model: ModelUnderAudit, archive: str) -> int:
    form = {"reference": model.reference, "archive": archive}
    return client.post(reverse("model_archive"), form, follow=True).status_code


@pytest.mark.parametrize("name", ["overview", "runs", "run", "models", "model", "findings", "finding"])
def test_pages_name_the_model_by_its_title(log_in: LogIn, model: ModelUnderAudit, found: Run, name: str) -> None:
    numbers = {"run": [found.pk], "finding": [found.observations.values_list("finding", flat=True)[0]]}
    query = {"reference": model.reference} if name == "model" else {}
    text = page(log_in("ada"), name, *numbers.get(name, []), **query)
    assert "&lt;Support&gt; chat" in text
    if name in ("run", "model", "models"):
        assert model.reference in text.replace(f"reference={model.reference}", "")


@pytest.mark.usefixtures("model")
@pytest.mark.parametrize("text", ["support", "pilot"])
def test_the_search_finds_a_model_by_title_and_tag(log_in: LogIn, text: str) -> None:
    assert "&lt;Support&gt; chat" in page(log_in("ada"), "search", q=text)


def test_an_archived_model_leaves_the_list_and_comes_back(log_in: LogIn, model: ModelUnderAudit) -> None:
    auditor = log_in("eve", "auditor")
    assert move(auditor, model, "1") == 200
    assert "&lt;Support&gt;" not in page(auditor, "models")
    assert auditor.get(reverse("overview")).context["standings"] == []
    assert "&lt;Support&gt;" in page(auditor, "models", archived="1")
    assert "Bring back" in page(auditor, "model", reference=model.reference)
    move(auditor, model, "0")
    assert "&lt;Support&gt;" in page(auditor, "models")


def test_the_history_names_who_archived_it(log_in: LogIn, model: ModelUnderAudit) -> None:
    eve = log_in("eve", "auditor")
    move(eve, model, "1")
    event = EVENTS[ModelUnderAudit].objects.filter(pgh_obj=model, archived_at__isnull=False).get()
    assert event.pgh_context.metadata["user"] == int(eve.session["_auth_user_id"])
    history = page(eve, "admin:audits_modelunderaudit_changes", list=str(model.pk))
    assert "eve" in history
    assert "archived" in history


@pytest.mark.parametrize("role", ["viewer", "reviewer", "curator"])
def test_others_see_no_button_and_may_not_archive(log_in: LogIn, model: ModelUnderAudit, role: str) -> None:
    client = log_in("eve", role)
    assert move(client, model, "1") == 403
    text = page(client, "model", reference=model.reference)
    assert "Edit title" not in text
    assert ">Archive<" not in text
    assert ModelUnderAudit.objects.filter(archived_at=None, pk=model.pk).exists()


def test_an_archived_plan_leaves_the_list_and_comes_back(log_in: LogIn, found: Run) -> None:
    auditor, plan = log_in("eve", "auditor"), found.plan
    assert plan
    auditor.post(reverse("plan_archive", args=[plan.pk]), {"archive": "1"})
    link = f'href="{reverse("plan", args=[plan.pk])}"'
    assert link not in page(auditor, "plans")
    assert link in page(auditor, "plans", archived="1")
    auditor.post(reverse("plan_archive", args=[plan.pk]), {"archive": "0"})
    assert link in page(auditor, "plans")
    assert Run.objects.get(pk=found.pk).plan == plan


def test_plans_that_ran_last_stand_first_and_others_can_be_found(log_in: LogIn, found: Run) -> None:
    auditor, plan = log_in("eve", "auditor"), found.plan
    assert plan
    plan.spec |= {"probe": "ilps"}
    plan.save()
    Plan.objects.create(name="A new one", spec={"probe": "ilps_chain", "model": "bundled:none"})
    assert in_order(page(auditor, "plans"), plan.name, "A new one")
    assert "A new one" not in page(auditor, "plans", probe="ilps")
    assert plan.name not in page(auditor, "plans", text="a NEW")
    assert "A new one" in page(auditor, "plans", text="bundled:none")
    assert "No plan matches." in page(auditor, "plans", text="nothing has this")


def in_order(text: str, *parts: str) -> bool:
    places = [text.index(part) for part in parts]
    return places == sorted(places)


def test_what_a_schedule_audits_is_not_archived_until_it_is_paused(log_in: LogIn, model: ModelUnderAudit) -> None:
    auditor, plan = log_in("eve", "auditor"), Plan.objects.get()
    schedule = Schedule.objects.create(plan=plan, cron="0 6 * * 1")
    schedule.audited_models.add(model)
    address = reverse("plan_archive", args=[plan.pk])
    move(auditor, model, "1")
    assert "Pause the schedule first" in auditor.post(address, {"archive": "1"}, follow=True).content.decode()
    assert not Plan.objects.exclude(archived_at=None).exists()
    assert not ModelUnderAudit.objects.exclude(archived_at=None).exists()
    schedule.paused = True
    schedule.save()
    move(auditor, model, "1")
    assert ModelUnderAudit.objects.exclude(archived_at=None).exists()


def test_a_model_that_a_schedule_reaches_through_its_plan_is_not_archived_either(
    log_in: LogIn, model: ModelUnderAudit
) -> None:
    auditor, plan = log_in("eve", "auditor"), Plan.objects.get()
    plan.spec = {**plan.spec, "model": "path:./another", "models": [model.reference]}
    plan.save()
    schedule = Schedule.objects.create(plan=plan, cron="0 6 * * 1")
    form = {"reference": model.reference, "archive": "1"}
    answer = auditor.post(reverse("model_archive"), form, follow=True)
    assert "Pause the schedule first" in answer.content.decode()
    assert not ModelUnderAudit.objects.exclude(archived_at=None).exists()
    schedule.audited_models.add(ModelUnderAudit.objects.create(reference="path:./chosen"))
    move(auditor, model, "1")
    assert ModelUnderAudit.objects.exclude(archived_at=None).get() == model
