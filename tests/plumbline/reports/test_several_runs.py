"""Reports on one model over time, and on two runs side by side."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from plumbline.audits.models import Comparison, Plan, Run, Shard
from plumbline.findings.judging import judge
from plumbline.findings.models import Finding, State, Update
from plumbline.reports.documents import on_model, on_run, on_two_runs
from plumbline.reports.rendering import html
from plumbline.results.measure_writing import replace_measures
from plumbline.spec.errors import InputError
from tests.plumbline.findings.audited import difference
from tests.plumbline.reports.conftest import HOSTILE, ROWS, a_finished_run, of_women_and_men, text_of

pytestmark = pytest.mark.django_db


def test_a_model_over_time_has_lines_findings_and_releases(run: Run, plan: Plan, ada: User) -> None:
    later = a_finished_run(difference("warm", 0.1, "absent", q_value=0.4), difference("", 0.3), plan=plan, by=ada)
    page = html(on_model("bundled:none", "ada"))
    text = text_of(page)
    assert "2 finished runs from" in text
    assert f"run {run.pk} +0.55 [+0.45, +0.65]; run {later.pk} +0.30 [+0.20, +0.40]" in page
    assert f"run {run.pk} first found, run {later.pk}" in text
    assert "The same audit asked this model 2 times." in text
    assert "No release of this model is signed off." in text
    assert HOSTILE not in page


def test_a_model_over_time_counts_a_dismissed_finding_of_two_runs_once(run: Run, plan: Plan, ada: User) -> None:
    a_finished_run(*ROWS, plan=plan, by=ada)
    judge([Finding.objects.get(attribute="warm", group_b="men").pk], ada, State.DISMISSED, "a base rate")
    text = text_of(html(on_model("bundled:none", "ada")))
    first = text[: text.index("Contents")]
    assert "links “warm” more strongly to women than to men" not in first
    assert "People dismissed 1 finding, which is not listed here." in first


def test_a_run_that_took_all_records_from_an_earlier_one_repeats_nothing(run: Run, plan: Plan, ada: User) -> None:
    later = a_finished_run(*ROWS, plan=plan, by=ada)
    phase = later.phases.get(name="scoring")
    made = Shard.objects.create(run=later, phase=phase, number=0, key="a", items=[], planned_rows={}, size=12)
    Shard.objects.filter(pk=made.pk).update(rows_reused=12)
    assert "The same audit asked this model at most once." in text_of(html(on_model("bundled:none", "ada")))
    copied = text_of(html(on_run(later, "ada")))
    assert "All records of this run come from earlier runs" in copied
    assert "did not ask the model again, so it is no new evidence" in copied.partition("What was asked")[0]
    Shard.objects.filter(pk=made.pk).update(rows_reused=11)
    assert "The same audit asked this model 2 times." in text_of(html(on_model("bundled:none", "ada")))
    assert "All records of this run come" not in text_of(html(on_run(later, "ada")))


def test_runs_of_one_plan_that_ask_other_words_are_not_the_same_audit(run: Run, plan: Plan, ada: User) -> None:
    later = a_finished_run(*ROWS, plan=plan, by=ada)
    assert "The same audit asked this model 2 times." in text_of(html(on_run(later, "ada")))
    Run.objects.filter(pk=later.pk).update(spec=later.spec | {"attributes": [{"inline": [{"text": "warm"}]}]})
    later.refresh_from_db()
    for document in (on_run(later, "ada"), on_model("bundled:none", "ada")):
        assert "The same audit asked this model at most once." in text_of(html(document))


def test_a_run_that_copied_some_records_says_how_many(run: Run, plan: Plan, ada: User) -> None:
    later = a_finished_run(*ROWS, plan=plan, by=ada)
    phase = later.phases.get(name="scoring")
    Shard.objects.create(run=later, phase=phase, number=0, key="a", items=[], planned_rows={}, size=12, rows_reused=11)
    assert "11 of its records come from earlier runs; it asked" in text_of(html(on_run(later, "ada")))


def test_figures_that_cannot_be_read_are_not_drawn_and_the_report_says_so(run: Run, plan: Plan, ada: User) -> None:
    later = a_finished_run(*ROWS, plan=plan, by=ada)
    Update.objects.update_or_create(run=later, defaults={"withheld": f"{HOSTILE} is not shown to do the task."})
    page = html(on_model("bundled:none", "ada"))
    assert f"cannot be read as stereotype: run {later.pk}. Of the latest of them:" in text_of(page)
    assert "No figure that can be read was measured in two of these runs" in text_of(page)
    assert HOSTILE not in page


def test_runs_that_ended_early_are_counted_and_add_no_figures(run: Run) -> None:
    Run.objects.filter(pk=a_finished_run().pk).update(state="cancelled")
    text = text_of(html(on_model("bundled:none", "ada")))
    assert "1 finished run from" in text
    assert "Failed, cancelled or not finished, so without figures: 1 run." in text


def test_a_model_without_a_finished_run_has_a_report_without_figures(db: None) -> None:
    Run.objects.filter(pk=a_finished_run().pk).update(state="failed")
    assert "None of its audits is finished (1 not finished)." in text_of(html(on_model("bundled:none", "ada")))


def test_a_model_that_nobody_audited_is_wrong_input(db: None) -> None:
    with pytest.raises(InputError, match="no run audited the model 'hub:a/b'"):
        on_model("hub:a/b", "ada")


def compared(first: Run, second: Run, **changed: Any) -> None:
    """As a worker stores it: the change of one difference, and the comparison's counts."""
    pair = {"condition": "ilps_difference", "variant": f"run:{first.pk}", "category": "traits", "attribute": "warm"}
    limits = {"value": -0.5, "ci_low": -0.6, "ci_high": -0.4, "q_value": 0.01, "verdict": "present"}
    change = of_women_and_men("difference_in_differences", **pair, **limits | changed)
    replace_measures(second.pk, [difference("warm", 0.1, "absent")])
    replace_measures(second.pk, [change], compared=True)
    counts = {"paired": 12, "only_previous": 0, "only_new": 0, "not_scorable": 1, "cells": 4, "moved": 2}
    Comparison.objects.create(run=second, previous=first, also_differs=[f"model {HOSTILE}"], **counts)


def test_two_runs_have_the_changes_that_their_comparison_tested(run: Run, ada: User) -> None:
    second = a_finished_run(*ROWS, by=ada, name="another")
    compared(run, second)
    page = html(on_two_runs(run, second, "ada"))
    text = text_of(page)
    assert "2 of 4 cells (a group with a word) that both runs asked moved." in text
    assert "1 gone: present before" in text
    assert "women minus men, traits, warm +0.60 +0.10 -0.50 [-0.60, -0.40] 0.01 gone" in text
    assert f"The runs also differ in: model {HOSTILE}." in text
    assert "Two runs are compared, and the report has the changes." in text
    assert HOSTILE not in page


def test_a_change_without_an_interval_has_no_brackets(run: Run, ada: User) -> None:
    second = a_finished_run(*ROWS, by=ada, name="another")
    compared(run, second, ci_low=None, ci_high=None)
    assert "women minus men, traits, warm +0.60 +0.10 -0.50 0.01 gone" in text_of(html(on_two_runs(run, second, "ada")))


def test_two_runs_that_nobody_compared_say_so_and_claim_no_change(run: Run) -> None:
    second = a_finished_run(*ROWS)
    text = text_of(html(on_two_runs(run, second, "ada")))
    assert "Nothing: no comparison of these runs is stored." in text
    assert "The report does not set two runs side by side." in text


def test_runs_that_cannot_be_compared_are_wrong_input(run: Run) -> None:
    with pytest.raises(InputError, match="these are the same run"):
        on_two_runs(run, run, "ada")
    other = a_finished_run(*ROWS)
    Run.objects.filter(pk=other.pk).update(state="cancelled")
    other.refresh_from_db()
    with pytest.raises(InputError, match="only finished runs can be compared"):
        on_two_runs(run, other, "ada")
