"""The page of the queue: its order, its buttons by role, and the record of who pressed them."""

from django.test import Client
from django.urls import reverse

from plumbline.audits.launching import launch_plan
from plumbline.audits.models import Plan, QueueMove
from plumbline.audits.queue import queue_order
from tests.plumbline.desk.runs.test_run_actions import said


def order() -> list[int]:
    return [run.pk for run in queue_order.queue()]


def test_an_empty_queue_says_so(viewer: Client) -> None:
    assert b"No run waits for a worker." in viewer.get(reverse("queue")).content


def test_an_auditor_reorders_and_the_focus_stays_on_the_button(auditor: Client, plan: Plan) -> None:
    a, b, c = (launch_plan(plan).pk for _ in range(3))
    answer = auditor.post(reverse("queue_move", args=[c]), {"how": "front"})
    assert order() == [c, a, b]
    assert said(answer) == f"Run {c} was number 3 and is now 1."
    page = auditor.get(answer["Location"]).content.decode()
    button = page.partition(f'aria-label="Move run {c} to the front"')[2].partition(">")[0]
    assert "autofocus" in button
    assert page.count("autofocus") == 1
    auditor.post(reverse("queue_move", args=[b]), {"how": "up"})
    assert order() == [c, b, a]
    auditor.post(reverse("queue_move", args=[c]), {"how": "priority", "priority": "2"})
    assert order() == [b, a, c]
    page = auditor.get(reverse("queue")).content.decode()
    assert "Who reordered the queue" in page
    assert {str(move.by) for move in QueueMove.objects.all()} == {"auditor"}


def test_a_viewer_sees_the_order_and_changes_nothing(viewer: Client, plan: Plan) -> None:
    run = launch_plan(plan).pk
    page = viewer.get(reverse("queue")).content.decode()
    assert f'href="{reverse("run", args=[run])}"' in page
    assert "To the front" not in page
    assert "&lt;co&gt;" in page
    assert viewer.post(reverse("queue_move", args=[run]), {"how": "front"}).status_code == 403
    assert not QueueMove.objects.exists()


def test_what_no_button_sends_changes_nothing(auditor: Client, plan: Plan) -> None:
    run = launch_plan(plan).pk
    for data in ({}, {"how": "x"}, {"how": "priority", "priority": "9"}, {"how": "priority", "priority": "\0"}):
        answer = auditor.post(reverse("queue_move", args=[run]), data)
        assert said(answer).startswith("The queue is unchanged: choose one of the buttons")
    assert "no such run" in said(auditor.post(reverse("queue_move", args=[9**9]), {"how": "up"}))
    assert not QueueMove.objects.exists()


def test_the_page_of_a_run_says_what_it_waits_for(viewer: Client, plan: Plan) -> None:
    first, second = launch_plan(plan).pk, launch_plan(plan).pk
    found = viewer.get(reverse("run_progress", args=[second])).json()
    assert "no worker is alive" in found["html"]
    assert first < second
