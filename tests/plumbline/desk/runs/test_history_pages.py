"""Models and plans over time, and the overview."""

import html
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from plumbline.audits.launching import launch_plan
from plumbline.audits.mail import notices
from plumbline.audits.models import Comparison, Plan, Run, Schedule, Shard
from plumbline.audits.states import RunState
from plumbline.desk.views import models
from plumbline.findings.models import Update
from plumbline.results.measure_writing import replace_measures
from tests.plumbline.desk.runs.conftest import Finish


def test_a_plan_draws_its_overall_difference_run_by_run(viewer: Client, plan: Plan, finish: Finish) -> None:
    runs = [finish(overall).pk for overall in (0.25, -0.5)]
    page = viewer.get(reverse("plan", args=[plan.pk]))
    line = page.context["trend"].line
    assert [(audit.run, audit.measure.value) for audit in line.audits] == list(zip(runs, (0.25, -0.5), strict=True))
    text = page.content.decode()
    assert text.count('<circle class="dot') == 2
    assert "-0.50 [-0.60, -0.40]  n = 12 items, 6 kinds of sentence  q = 0.04" in text


def test_the_line_is_broken_where_an_audit_asked_other_words(viewer: Client, plan: Plan, finish: Finish) -> None:
    runs = [finish(overall) for overall in (0.25, 0.3, -0.5, -0.6)]
    for run in runs[2:]:
        groups = [{"inline": [{"label": "women", "plural": "ladies"}, {"label": "men", "plural": "men"}]}]
        Run.objects.filter(pk=run.pk).update(spec=run.spec | {"groups": groups})
    Run.objects.filter(pk=runs[1].pk).update(spec=runs[1].spec | {"name": "called otherwise", "model": "path:/a@2"})
    page = viewer.get(reverse("plan", args=[plan.pk]))
    line = page.context["trend"].line
    assert [audit.asked_otherwise for audit in line.audits] == [False, False, True, False]
    assert page.content.decode().count("asked otherwise</span>") == 1


@pytest.mark.parametrize(("reused", "told"), [(4, "all answers"), (3, "3 of 4 answers")])
def test_a_run_of_copies_is_marked_in_the_history_of_its_plan_and_model(
    viewer: Client, plan: Plan, finish: Finish, reused: int, told: str
) -> None:
    _, later = finish(), finish()
    phase = later.phases.get(position=1)
    Shard.objects.create(
        run=later, phase=phase, number=0, key="a", items=[], planned_rows={}, size=4, rows_reused=reused
    )
    pages = (reverse("plan", args=[plan.pk]), reverse("model", query={"reference": later.model}))
    for address in pages:
        assert viewer.get(address).content.decode().count(f"{told} from earlier runs</span>") == 1


def test_a_run_with_other_choices_is_no_point_of_the_same_line(viewer: Client, plan: Plan, finish: Finish) -> None:
    runs = [finish().pk for _ in range(2)]
    Run.objects.filter(pk=runs[1]).update(name="renamed")
    page = viewer.get(reverse("plan", args=[plan.pk]))
    lines = page.context["lines"]
    assert sorted(len(line.audits) for line in lines) == [1, 1]
    latest = page.content.decode().partition("All contrasts</h2>")[2]
    assert all(f'<a href="/runs/{run}/">{run}</a>' in latest for run in runs)
    chosen = viewer.get(reverse("plan", args=[plan.pk]), {"line": lines[1].contrast.key})
    assert chosen.context["trend"].line == lines[1]


def test_models_of_one_plan_have_lines_of_their_own(viewer: Client, plan: Plan, finish: Finish) -> None:
    runs: dict[str, list[int]] = {"path:/a": [], "path:/b": []}
    for overall, model in ((0.25, "path:/a"), (-0.5, "path:/b"), (0.5, "path:/a"), (-0.75, "path:/b")):
        runs[model].append(finish(overall).pk)
        Run.objects.filter(pk=runs[model][-1]).update(model=model)
    overview = {one.model: one.trend.line for one in viewer.get(reverse("overview")).context["standings"]}
    for model, own in runs.items():
        by_plan = viewer.get(reverse("plan", args=[plan.pk]), {"model": model}).context["trend"].line
        by_model = viewer.get(reverse("model"), {"reference": model}).context["trend"].line
        for line in (overview[model], by_plan, by_model):
            assert [audit.run for audit in line.audits] == own


def test_a_plan_of_several_models_leads_to_their_latest_runs_before_and_after(
    viewer: Client, plan: Plan, finish: Finish
) -> None:
    runs = [finish().pk for _ in range(3)]
    for run, model in zip(runs, ("path:/a", "path:/b", "path:/b"), strict=True):
        Run.objects.filter(pk=run).update(model=model)
    address = reverse("before_after", query=[("a", runs[0]), ("b", runs[2])])
    assert address not in viewer.get(reverse("plan", args=[plan.pk])).content.decode()
    Plan.objects.filter(pk=plan.pk).update(spec=plan.spec | {"model": "path:/a", "models": ["path:/b", "path:/c"]})
    page = viewer.get(reverse("plan", args=[plan.pk])).content.decode()
    assert address.replace("&", "&amp;") in page


def test_a_model_is_found_by_its_reference_and_shows_its_audits(viewer: Client, finish: Finish) -> None:
    runs = [finish().pk for _ in range(2)]
    listing = viewer.get(reverse("models")).content.decode()
    assert "/models/history/?reference=bundled%3Anone" in listing
    page = viewer.get(reverse("model"), {"reference": "bundled:none"})
    assert [audit.run for audit in page.context["trend"].line.audits] == runs
    assert [run.pk for run in page.context["page"]] == runs[::-1]


def test_the_earliest_finished_run_of_the_plan_is_marked_as_the_baseline(
    viewer: Client, plan: Plan, finish: Finish
) -> None:
    first, second = finish(0.25).pk, finish(-0.5).pk
    for address in (reverse("plan", args=[plan.pk]), reverse("model", query={"reference": "bundled:none"})):
        page = viewer.get(address)
        assert page.context["trend"].line.baseline == first
        text = page.content.decode()
        assert text.count('<circle class="dot baseline"') == 1
        assert "<b>baseline</b>" in text
        assert f"?a={first}&amp;b={second}" in text


def test_a_baseline_is_drawn_however_many_runs_came_after_it(
    viewer: Client, plan: Plan, finish: Finish, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(models, "RUNS_DRAWN", 1)
    first, _, last = (finish().pk for _ in range(3))
    line = viewer.get(reverse("model"), {"reference": "bundled:none"}).context["trend"].line
    assert [(audit.run, audit.is_baseline) for audit in line.audits] == [(first, True), (last, False)]


def test_a_run_that_cannot_be_read_is_neither_drawn_nor_a_baseline(viewer: Client, plan: Plan, finish: Finish) -> None:
    weak, first, last = (finish().pk for _ in range(3))
    Update.objects.create(run_id=weak, withheld="<i>It</i> is not shown to do the task.")
    for address in (reverse("plan", args=[plan.pk]), reverse("model", query={"reference": "bundled:none"})):
        page = viewer.get(address)
        audits = page.context["trend"].line.audits
        assert [(one.run, one.is_baseline) for one in audits] == [(first, True), (last, False)]
        told = " ".join(page.content.decode().split())
        assert f'cannot be read as stereotype: <a href="/runs/{weak}/">run {weak}</a>. Of the latest of them' in told
        assert "&lt;i&gt;It&lt;/i&gt; is not shown to do the task." in told


def test_what_failed_or_belongs_to_no_plan_is_no_baseline(viewer: Client, plan: Plan, finish: Finish) -> None:
    failed, first, last = (finish().pk for _ in range(3))
    Run.objects.filter(pk=failed).update(state=RunState.FAILED)
    address = reverse("model", query={"reference": "bundled:none"})
    assert viewer.get(address).context["trend"].line.baseline == first
    Run.objects.filter(pk__in=(first, last)).update(plan=None)
    assert viewer.get(address).context["trend"].line.baseline is None


def compared(run: Run, *pairs: tuple[str, str, float]) -> None:
    """Give a run these overall differences."""
    own = {"statistic": "ilps_difference", "n": 12, "n_units": 6}
    replace_measures(run.pk, [own | {"group_a": a, "group_b": b, "value": value} for a, b, value in pairs])


@pytest.fixture
def addresses(plan: Plan) -> list[str]:
    return [reverse("plan", args=[plan.pk]), reverse("model", query={"reference": "bundled:none"})]


def trends(viewer: Client, addresses: list[str]) -> list[Any]:
    standing = viewer.get(reverse("overview")).context["standings"][0]
    return [standing.trend, *(viewer.get(address).context["trend"] for address in addresses)]


def test_a_trend_keeps_its_contrast_when_another_one_grows_larger(
    viewer: Client, addresses: list[str], finish: Finish
) -> None:
    for small, large in ((0.5, 0.25), (0.125, 0.75)):
        compared(finish(), ("women", "men", small), ("old", "young", large))
    for trend in trends(viewer, addresses):
        assert (trend.line.contrast.group_a, len(trend.line.audits), trend.before) == ("women", 2, None)


def test_a_trend_says_that_its_contrast_changed_when_a_group_was_added(
    viewer: Client, addresses: list[str], finish: Finish
) -> None:
    """With three groups each is compared with the mean of the others."""
    first, last = finish(), finish()
    compared(first, ("women", "men", 0.25))
    compared(last, *((group, "(other groups)", value) for group, value in (("nurses", 0.9), ("women", 0.1))))
    for trend in trends(viewer, addresses):
        assert (trend.line.contrast.group_a, trend.line.contrast.group_b) == ("women", "(other groups)")
        assert trend.before.contrast.group_b == "men"
    for address in (*addresses, reverse("overview")):
        text = html.unescape(" ".join(viewer.get(address).content.decode().split()))
        assert f"Up to run {first.pk} this plan compared <bdi>women</bdi> minus <bdi>men</bdi> but the latest" in text
        assert f"audit has no such contrast. This trend begins with run {last.pk}." in text


def test_an_audit_without_a_plan_is_not_called_the_first_of_one(viewer: Client, finish: Finish) -> None:
    Run.objects.filter(pk=finish().pk).update(plan=None)
    text = " ".join(viewer.get(reverse("overview")).content.decode().split())
    assert "first audit of this name" in text
    assert "of this plan" not in text


def test_an_audit_is_called_the_first_of_its_plan_only_where_it_is(viewer: Client, finish: Finish) -> None:
    finish()
    assert "first audit of this plan" in " ".join(viewer.get(reverse("overview")).content.decode().split())
    finish()
    text = viewer.get(reverse("overview")).content.decode()
    assert "not compared with the audit before" in text
    assert "first audit of this plan" not in text


def test_a_model_of_two_plans_says_which_one_its_figure_is_of_and_where_the_other_is(
    viewer: Client, plan: Plan, finish: Finish
) -> None:
    finish()
    told = "Figures of its other plans are on the page of the model."
    assert told not in " ".join(viewer.get(reverse("overview")).content.decode().split())
    other = Plan.objects.create(name="small", spec=plan.spec)
    Run.objects.filter(pk=finish().pk).update(plan=other)
    assert told in " ".join(viewer.get(reverse("overview")).content.decode().split())


@pytest.mark.parametrize(("paused", "shown"), [(False, "first"), (True, "second")])
def test_the_figure_of_a_scheduled_plan_stays_on_the_overview_when_another_plan_ran(
    viewer: Client, plan: Plan, finish: Finish, paused: bool, shown: str
) -> None:
    Schedule.objects.create(plan=plan, cron="0 6 * * 1", paused=paused)
    runs = {"first": finish(), "second": finish()}
    other = Plan.objects.create(name="half of the words", spec=plan.spec)
    Run.objects.filter(pk=runs["second"].pk).update(plan=other)
    text = " ".join(viewer.get(reverse("overview")).content.decode().split())
    assert f'From <a href="{reverse("run", args=[runs[shown].pk])}">' in text
    assert ("its latest of a scheduled plan." in text) is not paused


def test_an_audit_without_overall_differences_ends_no_trend(
    viewer: Client, addresses: list[str], finish: Finish
) -> None:
    kept = finish()
    replace_measures(finish().pk, [])
    for trend in trends(viewer, addresses):
        assert [audit.run for audit in trend.line.audits] == [kept.pk]


def test_pages_name_a_statistic_in_the_words_of_its_card(viewer: Client, finish: Finish) -> None:
    run = finish()
    for name in ("run", "run_measures"):
        text = viewer.get(reverse(name, args=[run.pk])).content.decode()
        assert "Difference between groups" in text
        # The key stands in the explanation of each statistic only.
        assert "ilps" not in re.sub(r'<code.*?</code>|"[^"]*"', "", text, flags=re.DOTALL)


def test_pages_without_runs_say_what_they_will_hold(viewer: Client, plan: Plan) -> None:
    assert "never launched" in viewer.get(reverse("plan", args=[plan.pk])).content.decode()
    assert "will appear here" in viewer.get(reverse("models")).content.decode()
    overview = viewer.get(reverse("overview")).content.decode()
    assert "There is no audit yet" in overview
    assert f'href="{reverse("plans")}"' in overview


def test_the_overview_says_what_changed(viewer: Client, plan: Plan, finish: Finish) -> None:
    before, last = finish(0.25), finish(0.5)
    Comparison.objects.create(
        run=last, previous=before, paired=4, only_previous=0, only_new=0, not_scorable=0, cells=4, moved=3
    )
    schedule = Schedule.objects.create(plan=plan, cron="0 6 * * 1")
    notices.write(schedule, "told", "3 of 4 <cells> moved", ["..."])
    waiting = launch_plan(plan)
    text = viewer.get(reverse("overview")).content.decode()
    assert "3 of 4 cells" in text
    assert "+0.50 [+0.40, +0.60]" in text
    assert "3 of 4 &lt;cells&gt; moved" in text
    assert f"Run {waiting.pk}" in text
    assert "No worker is alive" in text
    assert schedule.next_due_at is not None
    assert f"{schedule.next_due_at:%Y-%m-%d %H:%M}" in text


def test_more_runs_need_no_more_queries(
    viewer: Client, plan: Plan, finish: Finish, django_assert_max_num_queries: Any
) -> None:
    bounds = {
        reverse("overview"): 34,
        reverse("models"): 8,
        reverse("model", query={"reference": "bundled:none"}): 20,
        reverse("plans"): 8,
        reverse("plan", args=[plan.pk]): 17,
    }
    finish()
    few = {}
    for where, most in bounds.items():
        with django_assert_max_num_queries(most, info=where) as asked:
            viewer.get(where)
        few[where] = len(asked)
    for _ in range(3):
        finish()
    for where, queries in few.items():
        with django_assert_max_num_queries(queries, info=where):
            viewer.get(where)
