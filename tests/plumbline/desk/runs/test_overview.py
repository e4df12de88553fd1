"""What the overview says without a click: the strongest new finding, changes, failures, what is due, and each model."""

import html
import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.urls import reverse

from plumbline.audits import clock
from plumbline.audits.models import Comparison, ModelUnderAudit, Plan, Run, Schedule, Shard
from plumbline.audits.states import RunState
from plumbline.desk.due import dues
from plumbline.desk.overview_news import Change, changes_in, compared_since, strongest_new, strongest_of_others
from plumbline.findings.models import Finding, Outcome, State, Update
from plumbline.findings.updating import update
from plumbline.results.measure_writing import replace_measures
from plumbline.spec.verdicts import Verdict
from tests.plumbline.desk.findings.conftest import LogIn, log_in
from tests.plumbline.findings.audited import a_plan, a_run, asking, difference
from tests.plumbline.results.conftest import _load

pytestmark = pytest.mark.django_db
__all__ = ["log_in"]
WEEK_AGO = timedelta(days=7)
NOTHING_COMPARED = "No finding was compared with an earlier audit in the last seven days."


def audited(model: str, *values: float, plan: str = "weekly") -> Run:
    """A run that shows an effect on each word with a value other than 0."""
    verdicts = [Verdict.PRESENT if one else Verdict.UNDECIDED for one in values]
    found = [difference(f"w{at}", one, verdict) for at, (one, verdict) in enumerate(zip(values, verdicts, strict=True))]
    made = a_run(*found, plan=a_plan(plan), model=model)
    update(made)
    return made


def shown(log_in: LogIn, role: str = "reviewer", **query: str) -> str:
    return " ".join(log_in("ada", role).get(reverse("overview"), query).content.decode().split())


def test_it_names_the_strongest_finding_that_nobody_judged(log_in: LogIn) -> None:
    audited("hub:org/m@a", 0.4, -0.9)
    strongest = strongest_new()
    assert strongest
    assert strongest.attribute == "w1"
    text = shown(log_in)
    assert "It has no vote, no comment and no judgement." in text
    assert "-0.90 [-1.00, -0.80]" in text
    assert "Judge it" in text
    assert "Judge it" not in shown(log_in, "viewer")
    Finding.objects.filter(attribute="w1").update(state=State.DISMISSED)
    after = strongest_new()
    assert after
    assert after.attribute == "w0"


def test_below_it_stands_the_largest_of_other_runs_that_nobody_judged(log_in: LogIn) -> None:
    update(a_run(difference("policewomen", 2.0), difference("warm", 0.4), plan=a_plan("first"), model="hub:org/m@a"))
    audited("hub:org/m@a", 0.7, plan="second")
    audited("hub:org/m@b", 0.3)
    first = strongest_new()
    assert first
    assert first.latest
    assert first.latest.value == 0.3
    assert [one.attribute for one in strongest_of_others(first)] == ["w0", "warm"]
    text = shown(log_in)
    below = text[text.index("The largest of each other run that nobody judged,") :]
    assert below.index("+0.70") < below.index("+0.40")
    Finding.objects.filter(attribute="warm").update(state=State.DISMISSED)
    assert [one.attribute for one in strongest_of_others(first)] == ["w0", "policewomen"]


def test_a_word_that_echoes_its_groups_name_stands_back(log_in: LogIn) -> None:
    update(a_run(difference("policewomen", 2.0), difference("warm", 0.4), plan=a_plan(), model="hub:org/m@a"))
    strongest = strongest_new()
    assert strongest
    assert strongest.attribute == "warm"
    text = shown(log_in)
    assert "This is the latest run with findings to judge." in text
    assert "Here its largest effect stands first, but words that echo the name of a group or of which only" in text
    Finding.objects.filter(attribute="warm").update(state=State.DISMISSED)
    alone = strongest_new()
    assert alone
    assert alone.attribute == "policewomen"


def test_where_all_of_the_latest_run_echo_its_largest_is_shown_and_none_of_an_earlier_run(log_in: LogIn) -> None:
    update(a_run(difference("warm", 0.4), plan=a_plan(), model="hub:org/m@a"))
    update(a_run(difference("policewomen", 2.0), plan=a_plan("other"), model="hub:org/m@b"))
    strongest = strongest_new()
    assert strongest
    assert strongest.attribute == "policewomen"


def test_groups_whose_names_differ_in_length_stand_back_and_alone_have_a_note(log_in: LogIn) -> None:
    long = {"group_b": "nonbinary people"}
    update(a_run(difference("warm", 2.0, **long), difference("kind", 0.4), plan=a_plan(), model="hub:org/m@a"))
    note = "The names “women” and “nonbinary people” differ in length. The difference may come from that alone."
    strongest = strongest_new()
    assert strongest
    assert strongest.attribute == "kind"
    assert note not in shown(log_in)
    Finding.objects.filter(attribute="kind").update(state=State.DISMISSED)
    assert note in shown(log_in, role="viewer")


def test_a_group_is_compared_with_each_of_the_others_by_the_length_of_its_name(log_in: LogIn) -> None:
    spec = asking("women") | {"groups": {"inline": ["women", "men", "nonbinary people"]}}
    rest = {"group_a": "men", "group_b": "(other groups)"}
    rows = (difference("warm", 2.0, **rest), difference("kind", 0.4))
    update(a_run(*rows, plan=a_plan(), model="hub:org/m@a", spec=spec))
    strongest = strongest_new()
    assert strongest
    assert strongest.attribute == "kind"
    Finding.objects.filter(attribute="kind").update(state=State.DISMISSED)
    assert "The names “men” and “nonbinary people” differ in length." in shown(log_in)


def test_a_word_of_which_only_a_part_was_scored_stands_back() -> None:
    run = a_run(difference("warm", 2.0), difference("kind", 0.4), plan=a_plan(), model="hub:org/m@a")
    template = "All {group} are {attribute}."
    _load(run.pk, [(template, group, word, 1.0, None) for group in ("women", "men") for word in ("warm", "kind")])
    update(run)
    strongest = strongest_new()
    assert strongest
    assert strongest.attribute == "warm"
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE results.association SET n_tokens = 2"
            " WHERE attribute = (SELECT id FROM results.term WHERE text = 'warm')"
        )
    split = strongest_new()
    assert split
    assert split.attribute == "kind"


def test_the_names_of_groups_are_those_that_the_run_asked(log_in: LogIn) -> None:
    groups = [{"label": "women", "plural": "female people"}, "nonbinary people"]
    spec = {
        "name": "weekly",
        "probe": "ilps",
        "model": "hub:org/m@a",
        "prior": {"plural": "people"},
        "groups": {"inline": groups},
        "attributes": {"inline": ["warm"]},
        "templates": {"inline": ["{group} are {attribute}."]},
    }
    run = a_run(difference("warm", 2.0, group_b="nonbinary people"), plan=a_plan(), model="hub:org/m@a", spec=spec)
    update(run)
    assert "differ in length. The difference may" not in shown(log_in)
    run.spec["groups"]["inline"][0]["plural"] = "women"
    run.save()
    assert "The names “women” and “nonbinary people” differ in length." in shown(log_in, role="viewer")


def test_a_live_run_on_which_no_worker_works_waits_for_one(log_in: LogIn) -> None:
    run = Run.objects.create(name="weekly", probe="ilps", model="hub:org/m", spec={}, state=RunState.PLANNING)
    assert "waits for a worker" in shown(log_in)
    Run.objects.filter(pk=run.pk).update(owner="here:1")
    assert "waits for a worker" not in shown(log_in, role="viewer")


def test_a_vote_counts_as_a_look(log_in: LogIn) -> None:
    audited("hub:org/m@a", 0.4)
    finding = Finding.objects.get()
    log_in("eve").post(reverse("finding_vote", args=[finding.pk]), {"state": "confirmed"})
    assert "1 vote and 0 comments, not judged yet" in shown(log_in)


def test_without_findings_it_says_so(log_in: LogIn) -> None:
    assert "No finding waits for a judgement" in shown(log_in)


def changes_of_the_week() -> list[Change]:
    return changes_in(compared_since(clock.now() - WEEK_AGO))


def outcome(run: Run, value: Outcome) -> None:
    run.observations.update(outcome=value)


@pytest.mark.parametrize(
    ("value", "worse", "better"),
    [(Outcome.STRONGER, "1 stronger", ""), (Outcome.GONE, "", "1 gone"), (Outcome.UNDECIDED, None, None)],
)
def test_changes_of_the_last_week_are_worse_or_better(value: Outcome, worse: str | None, better: str) -> None:
    run = audited("hub:org/m@a", 0.4)
    outcome(run, value)
    found = [(one.worse, one.better) for one in changes_of_the_week()]
    assert found == ([] if worse is None else [(worse, better)])


def test_a_first_audit_is_no_change_and_an_old_one_is_not_of_this_week() -> None:
    audited("hub:org/m@a", 0.4, 0.0)
    assert changes_of_the_week() == []
    audited("hub:org/m@a", 0.4, 0.8)
    assert [one.worse for one in changes_of_the_week()] == ["1 new"]
    Run.objects.update(created_at=clock.now() - timedelta(days=8))
    assert changes_of_the_week() == []


def test_a_word_that_the_audit_before_did_not_ask_makes_no_model_worse(log_in: LogIn) -> None:
    first, second = audited("hub:org/m@a", 0.4), audited("hub:org/m@a", 0.4, 0.8)
    compared = {"paired": 1, "only_previous": 0, "only_new": 1, "not_scorable": 0, "cells": 1, "moved": 0}
    Comparison.objects.create(run=second, previous=first, **compared)
    assert Finding.objects.filter(latest__outcome=Outcome.NEW).count() == 1
    assert changes_of_the_week() == []
    assert "These are numbers of findings, compared with the audit before" in shown(log_in)


def test_a_run_that_took_all_answers_from_earlier_ones_shows_no_change_and_no_stability(log_in: LogIn) -> None:
    audited("hub:org/m@a", 0.4)
    copy = audited("hub:org/m@a", 0.4)
    assert "No finding changed beyond chance" in shown(log_in)
    phase = copy.phases.create(name="score", position=1, sharded=True)
    Shard.objects.create(run=copy, phase=phase, number=0, key="a", items=[], planned_rows={}, size=4, rows_reused=4)
    assert "No finding was compared with an earlier audit in the last seven days." in shown(log_in)


def test_a_run_that_asked_anew_only_what_the_run_before_lacks_shows_no_stability(log_in: LogIn) -> None:
    first, second = audited("hub:org/m@a", 0.4), audited("hub:org/m@a", 0.4)
    phase = second.phases.create(name="score", position=1, sharded=True)
    Shard.objects.create(run=second, phase=phase, number=0, key="a", items=[], planned_rows={}, size=9, rows_reused=4)
    made = Comparison.objects.create(
        run=second, previous=first, paired=5, only_previous=0, only_new=4, not_scorable=0, cells=2, moved=0
    )
    assert "No finding changed beyond chance" in shown(log_in)
    Comparison.objects.filter(pk=made.pk).update(only_new=5)
    text = shown(log_in)
    assert "No finding was compared with an earlier audit in the last seven days." in text
    assert "changed: all answers to them are copies" in text


def test_findings_that_a_changed_plan_no_longer_measures_and_first_ones_are_counted(log_in: LogIn) -> None:
    audited("hub:org/m@a", 0.4, 0.8)
    assert "2 findings</a> were added. First audits and new words add findings, too" in shown(log_in)
    Finding.objects.update(created_at=clock.now() - timedelta(days=30))
    audited("hub:org/m@a", 0.4)
    text = shown(log_in)
    assert "1 finding</a> is no longer measured." in text
    [link] = re.findall(r'href="([^"]*outcome=not[^"]*)"', text)
    listed = log_in("alan").get(html.unescape(link)).content.decode()
    assert listed.count("data-row=") == 1
    assert "First audits and new words" not in text
    Run.objects.update(created_at=clock.now() - timedelta(days=8))
    assert "no longer measured" not in shown(log_in)


def test_a_week_in_which_a_run_asked_other_words_is_none_in_which_nothing_changed(log_in: LogIn) -> None:
    update(a_run(difference("warm", 0.6), plan=a_plan(), spec=asking("women")))
    assert NOTHING_COMPARED in shown(log_in)
    for told in (NOTHING_COMPARED, "No finding that was compared changed beyond chance"):
        update(a_run(difference("warm", 0.9), plan=a_plan(), spec=asking("ladies")))
        text = " ".join(shown(log_in).split())
        assert "1 finding was asked in other words or with other groups than before" in text
        assert told in text


def test_only_a_comparison_lets_the_overview_say_that_nothing_changed(log_in: LogIn) -> None:
    assert NOTHING_COMPARED in shown(log_in)
    audited("hub:org/m@a", 0.4)
    assert NOTHING_COMPARED in shown(log_in)
    run = audited("hub:org/m@a", 0.4)
    text = shown(log_in)
    assert "No finding changed beyond chance" in text
    assert NOTHING_COMPARED not in text
    run.observations.update(withheld=True, outcome=Outcome.UNDECIDED)
    assert NOTHING_COMPARED in shown(log_in)
    run.observations.update(withheld=False)
    Run.objects.update(created_at=clock.now() - timedelta(days=8))
    assert NOTHING_COMPARED in shown(log_in)


def test_a_model_without_a_figure_is_not_said_to_have_no_difference(log_in: LogIn) -> None:
    run = audited("hub:org/m@a", 0.4)
    replace_measures(run.pk, [])
    models = shown(log_in).partition('id="models"')[2]
    assert "no figure to draw over time" in models
    assert "no difference" not in models


def test_a_failed_run_shows_its_error(log_in: LogIn) -> None:
    run = audited("hub:org/m@a", 0.4)
    Run.objects.filter(pk=run.pk).update(state=RunState.FAILED, error="<out> of memory")
    assert "&lt;out&gt; of memory" in shown(log_in)
    Run.objects.update(created_at=clock.now() - timedelta(days=8))
    assert "&lt;out&gt; of memory" not in shown(log_in)


def test_runs_that_finished_lately_say_how_many_of_their_findings_nobody_judged(log_in: LogIn) -> None:
    first, second = audited("hub:org/m@a", 0.4, -0.9, plan="first"), audited("hub:org/m@b", 0, plan="second")
    old = audited("hub:org/m@c", 0.8, plan="old")
    Run.objects.update(finished_at=clock.now())
    Run.objects.filter(pk=old.pk).update(finished_at=clock.now() - WEEK_AGO)
    text = shown(log_in)
    finished = text[text.index("Finished in the last seven days") : text.index('id="models"')]
    told = " ".join(re.sub(r"<[^>]+>", " ", html.unescape(finished)).split())
    assert f"Run {second.pk}: weekly on hub:org/m@b no finding to judge" in told
    assert f"Run {first.pk}: weekly on hub:org/m@a 2 findings to judge" in told
    assert told.index(f"Run {second.pk}:") < told.index(f"Run {first.pk}:")
    assert f"Run {old.pk}:" not in told


def scheduled(plan: Plan, paused: bool) -> Schedule:
    made = Schedule.objects.create(plan=plan, cron="0 6 * * 1", paused=paused)
    made.audited_models.add(ModelUnderAudit.objects.get_or_create(reference="hub:org/m@a")[0])
    return made


def test_a_paused_schedule_says_paused(log_in: LogIn) -> None:
    audited("hub:org/m@a", 0.4)
    scheduled(a_plan(), paused=True)
    text = shown(log_in)
    assert '<span class="state">paused</span>' in text
    assert "a schedule of this model is paused" in text
    due = scheduled(a_plan(), paused=False)
    assert dues().all[0].schedule == due
    assert "is paused" not in shown(log_in)


def test_what_is_due_next_leads_to_its_schedule_and_so_does_the_page_of_its_plan(log_in: LogIn) -> None:
    due = scheduled(a_plan(), paused=True)
    address = reverse("admin:audits_schedule_change", args=[due.pk])
    assert f'<a href="{address}"><span class="state">paused</span></a>' in " ".join(shown(log_in).split())
    page = " ".join(log_in("ada").get(reverse("plan", args=[due.plan_id])).content.decode().split())
    assert f'Scheduled <a href="{address}">every Monday at 06:00, UTC</a>: paused' in page
    assert log_in("ada").get(address).status_code == 200


def names(log_in: LogIn, **query: str) -> list[str]:
    return [one.model for one in log_in("ada").get(reverse("overview"), query).context["standings"]]


def test_models_are_found_by_title_and_put_in_order(log_in: LogIn) -> None:
    for name in ("a", "b", "c"):
        audited(f"hub:org/{name}@1", 0.4)
    ModelUnderAudit.objects.create(reference="hub:org/b@1", title="Zebra", tags="pilot")
    assert names(log_in) == ["hub:org/c@1", "hub:org/b@1", "hub:org/a@1"]
    assert names(log_in, order="name") == ["hub:org/a@1", "hub:org/c@1", "hub:org/b@1"]
    assert names(log_in, text="zeb") == names(log_in, text="pilot") == ["hub:org/b@1"]
    assert names(log_in, text="nothing") == []
    assert "No audited model matches" in shown(log_in, text="nothing")


def test_a_model_shows_the_run_and_plan_of_its_figures_beside_a_later_one_that_failed(log_in: LogIn) -> None:
    done, failed = audited("hub:org/m@a", 0.4), a_run(model="hub:org/m@a")
    Run.objects.filter(pk=failed.pk).update(state=RunState.FAILED, name="asks what it cannot")
    text = shown(log_in)
    assert f"run {done.pk}</a>, <bdi>weekly</bdi>" in text
    assert f'latest: <a href="{reverse("run", args=[failed.pk])}">' in text
    assert "<bdi>asks what it cannot</bdi>" in text


def test_a_model_says_how_many_overall_differences_stand_beside_the_one_that_is_drawn(log_in: LogIn) -> None:
    lists = [
        difference("", value, verdict) | {"category": name}
        for name, value, verdict in (
            ("jobs", 0.6, Verdict.PRESENT),
            ("traits", 0.5, Verdict.PRESENT),
            ("sports", 0.1, Verdict.UNDECIDED),
        )
    ]
    update(a_run(*lists, plan=a_plan("weekly"), model="hub:org/m@a"))
    assert "Beside it 2 other overall differences, 1 of them present" in shown(log_in)


def test_figures_of_a_model_that_is_not_shown_to_do_its_task_are_not_shown(log_in: LogIn) -> None:
    run = a_run(difference("", 0.4, Verdict.PRESENT), plan=a_plan("weekly"), model="hub:org/m@a")
    update(run)
    assert "0.40 [" in shown(log_in).partition('id="models"')[2]
    Update.objects.filter(run=run).update(withheld="hub:org/m@a is not shown to do the task.")
    models = shown(log_in).partition('id="models"')[2]
    assert "hub:org/m@a is not shown to do the task. So its figures are not shown here." in models
    assert "0.40 [" not in models


def test_more_models_need_no_more_queries(log_in: LogIn, django_assert_max_num_queries: Any) -> None:
    def fill(many: range) -> None:
        for at in many:
            audited(f"hub:org/m{at}@1", 0.4, -0.9)
            scheduled(a_plan(f"plan {at}"), paused=False)

    viewer = log_in("ada")
    fill(range(2))
    with django_assert_max_num_queries(46) as asked:
        viewer.get(reverse("overview"))
    fill(range(2, 8))
    with django_assert_max_num_queries(len(asked)):
        viewer.get(reverse("overview"))
