from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.messages import get_messages
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from plumbline.audits import estimated_time
from plumbline.audits.launching import launch_plan
from plumbline.audits.models import Plan, Run, RunFollower
from plumbline.audits.states import RunState
from tests.plumbline.spec.some_questions import question


def press(client: Client, name: str, number: int) -> HttpResponse:
    return client.post(reverse(name, args=[number]))  # type: ignore[return-value]


def said(answer: Any) -> str:
    return " ".join(str(message) for message in get_messages(answer.wsgi_request))


def test_a_living_run_is_cancelled_by_name_and_goes_on_again(auditor: Client, plan: Plan) -> None:
    run = launch_plan(plan)
    press(auditor, "run_cancel", run.pk)
    run.refresh_from_db()
    assert (run.state, run.error) == (RunState.CANCELLED, "cancelled by auditor")
    press(auditor, "run_resume", run.pk)
    run.refresh_from_db()
    assert run.state == RunState.QUEUED


def test_a_run_that_ended_is_neither_cancelled_nor_resumed(auditor: Client, done: Run) -> None:
    assert "had ended already" in said(press(auditor, "run_cancel", done.pk))
    assert "only a failed or cancelled run" in said(press(auditor, "run_resume", done.pk))
    done.refresh_from_db()
    assert done.state == RunState.DONE


def test_asking_again_makes_a_run_of_the_same_plan(auditor: Client, done: Run) -> None:
    answer = press(auditor, "run_ask_again", done.pk)
    new = Run.objects.order_by("-pk")[0]
    assert (new.plan, new.created_by.username if new.created_by else "") == (done.plan, "auditor")
    assert answer.headers["Location"] == reverse("run", args=[new.pk])


def test_a_plan_is_launched_for_who_pressed(auditor: Client, plan: Plan) -> None:
    answer = auditor.post(reverse("plan_launch", args=[plan.pk]), {"seen": "1"})
    run = Run.objects.get()
    assert (run.plan, run.state, answer.headers["Location"]) == (plan, "planning", reverse("run", args=[run.pk]))
    assert run.created_by is not None


def test_a_plan_that_cannot_be_launched_says_why(auditor: Client, plan: Plan) -> None:
    Plan.objects.update(spec={**plan.spec, "attributes": {"list": "gone"}})
    answer = press(auditor, "plan_launch", plan.pk)
    assert "cannot be launched" in said(answer)
    assert "gone" in said(answer)
    assert not Run.objects.exists()


def test_a_plan_that_can_show_nothing_is_launched_from_where_that_stands(auditor: Client, plan: Plan) -> None:
    answer = press(auditor, "plan_launch", plan.pk)
    assert "Not launched yet: no result of this plan can become significant." in said(answer)
    assert answer["Location"] == reverse("plan", args=[plan.pk])
    assert not Run.objects.exists()
    part = auditor.get(reverse("plan_sensitivity", args=[plan.pk])).content.decode()
    assert "<b>Warning:</b> This plan has 1 kind of sentence. Below 7 kinds of sentence no statement" in part


def test_a_plan_that_cannot_be_launched_shows_no_sensitivity(auditor: Client, plan: Plan) -> None:
    Plan.objects.update(spec={**plan.spec, "attributes": {"list": "gone"}})
    part = auditor.get(reverse("plan_sensitivity", args=[plan.pk])).content.decode()
    assert "This plan cannot be launched: " in part


def paid(plan: Plan) -> None:
    bank = {"inline": [question()]}
    spec = {"name": "b", "probe": "bbq", "model": "openai:http://host/v1#m", "bank": bank}
    Plan.objects.filter(pk=plan.pk).update(spec=spec)


def test_what_somebody_pays_for_is_launched_from_where_its_cost_stands(auditor: Client, plan: Plan) -> None:
    paid(plan)
    answer = press(auditor, "plan_launch", plan.pk)
    assert "Not launched yet: 1 request to openai:http://host/v1#m, about " in said(answer)
    assert answer.headers["Location"] == reverse("plan", args=[plan.pk])
    assert not Run.objects.exists()
    page = auditor.get(reverse("plan", args=[plan.pk])).content.decode()
    assert "an endpoint that may charge for them: 1 request to openai:http://host/v1#m" in page
    auditor.post(reverse("plan_launch", args=[plan.pk]), {"seen": "1"})
    assert Run.objects.get().model == "openai:http://host/v1#m"


def test_a_long_launch_shows_its_size_and_asks_once_more(
    auditor: Client, plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(estimated_time, "MANY_ITEMS", 3)
    answer = auditor.post(reverse("plan_launch", args=[plan.pk]), {"seen": "1"})
    assert "Not launched yet: this launch takes long." in said(answer)
    assert not Run.objects.exists()
    page = auditor.get(answer.headers["Location"]).content.decode()
    assert "The size of this launch: 4 items, for an unknown time." in page
    assert 'name="seen" value="size"' in page
    auditor.post(reverse("plan_launch", args=[plan.pk]), {"seen": "size"})
    assert Run.objects.get().plan == plan


def test_who_asks_is_told_when_the_run_ends_and_can_take_it_back(auditor: Client, plan: Plan) -> None:
    run = launch_plan(plan)
    User.objects.filter(username="auditor").update(email="au@example.org")
    follow, page = reverse("run_follow", args=[run.pk]), reverse("run", args=[run.pk])
    assert "Tell me when it ends" in " ".join(auditor.get(page).content.decode().split())
    assert "A mail to au@example.org tells you" in said(auditor.post(follow, {"follow": "1"}))
    assert RunFollower.objects.filter(run=run, person__username="auditor").exists()
    assert "Do not tell me when it ends" in auditor.get(page).content.decode()
    assert "You are not told" in said(auditor.post(follow, {"follow": ""}))
    assert not RunFollower.objects.exists()


def test_who_has_no_mail_address_reads_why_no_mail_comes(auditor: Client, plan: Plan) -> None:
    run = launch_plan(plan)
    User.objects.filter(username="auditor").update(email="")
    page = auditor.get(reverse("run", args=[run.pk])).content.decode()
    assert "Your account has no mail address." in page
    assert "Tell me" not in page
    assert "no mail address" in said(auditor.post(reverse("run_follow", args=[run.pk]), {"follow": "1"}))
    assert not RunFollower.objects.exists()
