from typing import Any

from django.test import Client
from django.urls import reverse

from plumbline.audits.launching import launch
from plumbline.audits.models import Plan, Run
from plumbline.spec.audit import parse
from plumbline.vocab.models import Attribute, AttributeSet
from tests.plumbline.desk.runs.conftest import SPEC, Finish


def listed(client: Client, **query: str) -> list[int]:
    return [run.pk for run in client.get(reverse("runs"), query).context["page"]]


def test_an_empty_list_says_what_it_will_hold_and_leads_to_plans(viewer: Client, db: None) -> None:
    text = viewer.get(reverse("runs")).content.decode()
    assert "There is none yet" in text
    assert f'href="{reverse("plans")}"' in text


def test_the_newest_is_first_and_filters_narrow(viewer: Client, finish: Finish, plan: Plan) -> None:
    first, second = finish(), finish()
    other = launch(parse({**SPEC, "name": "other", "model": "bundled:two"}))
    assert listed(viewer) == [other.pk, second.pk, first.pk]
    assert listed(viewer, state="done") == [second.pk, first.pk]
    assert listed(viewer, model="bundled:two") == [other.pk]
    assert listed(viewer, text="OTHER") == [other.pk]
    assert listed(viewer, text="bundled:n", probe="ilps") == [second.pk, first.pk]


def test_what_no_run_is_like_is_said(viewer: Client, done: Run) -> None:
    for query in ({"state": "nonsense"}, {"text": "%"}, {"text": "'; DROP"}):
        assert "No run matches" in viewer.get(reverse("runs"), query).content.decode()


def test_a_page_that_is_not_there_is_the_last(viewer: Client, done: Run) -> None:
    assert listed(viewer, page="999") == listed(viewer, page="x") == [done.pk]


def test_a_run_whose_words_changed_is_marked(viewer: Client, db: None) -> None:
    jobs = AttributeSet.objects.create(slug="jobs", title="Jobs")
    Attribute.objects.create(word_list=jobs, text="nurse")
    launch(parse({**SPEC, "attributes": {"list": "jobs"}}))
    mark = '<span class="state stale"'
    assert mark not in viewer.get(reverse("runs")).content.decode()
    Attribute.objects.create(word_list=jobs, text="usher")
    assert mark in viewer.get(reverse("runs")).content.decode()


def test_more_runs_need_no_more_queries(viewer: Client, finish: Finish, django_assert_num_queries: Any) -> None:
    finish()
    with django_assert_num_queries(8):
        viewer.get(reverse("runs"))
    finish()
    finish()
    with django_assert_num_queries(8):
        viewer.get(reverse("runs"))
