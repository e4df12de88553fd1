"""The page that shows the outcome of each difference."""

import pytest
from django.test import Client
from django.urls import reverse

from plumbline.audits.models import Comparison, ComparisonRequest, Plan, Run
from plumbline.results.measure_writing import replace_measures
from tests.plumbline.desk.runs.conftest import MARKED, Finish


def page(client: Client, first: Run, second: Run, **query: str) -> str:
    return client.get(reverse("before_after"), {"a": str(first.pk), "b": str(second.pk)} | query).content.decode()


@pytest.fixture
def compared(finish: Finish) -> tuple[Run, Run]:
    """Two runs of which the later lost a difference, and got a new one about a word with markup."""
    first, second = finish(), finish()
    labels = {"group_a": "women", "group_b": "men", "n": 8}
    kept = {
        first: [("kind", 0.9, "present"), (MARKED, 0.0, "absent")],
        second: [("kind", 0.01, "absent"), (MARKED, 0.6, "present")],
    }
    for run, rows in kept.items():
        replace_measures(
            run.pk,
            [
                {"statistic": "ilps_difference", "attribute": word, "value": value, "verdict": verdict, **labels}
                for word, value, verdict in rows
            ],
        )
    own = {"statistic": "difference_in_differences", "variant": f"run:{first.pk}", "condition": "ilps_difference"}
    changes = [("kind", -0.89), (MARKED, 0.6)]
    replace_measures(
        second.pk,
        [own | labels | {"attribute": word, "value": value, "verdict": "present"} for word, value in changes],
        compared=True,
    )
    return first, second


def test_each_difference_has_its_outcome_and_what_is_new_comes_first(viewer: Client, compared: tuple[Run, Run]) -> None:
    text = page(viewer, *compared)
    table = text[text.index("Attribute</th>") :]
    assert "<script>alert" not in text
    assert table.index("New") < table.index("Gone")
    assert "+0.90 (present)" in table
    assert "-0.89" in table


def test_the_page_begins_with_what_became_of_them_in_one_sentence(viewer: Client, compared: tuple[Run, Run]) -> None:
    text = " ".join(page(viewer, *compared).split())
    assert (
        "Of 2 differences, 1 is gone and 0 are weaker. 1 is new, 0 are stronger and 0 are reversed."
        " 0 changed by less than the smallest effect that matters." in text
    )


def test_a_significant_change_that_passes_zero_is_counted_beside_the_first_sentence(
    viewer: Client, compared: tuple[Run, Run]
) -> None:
    told = "1 of the 1 undecided changed significantly, too: they passed zero"
    assert "changed significantly, too" not in page(viewer, *compared)
    labels = {"group_a": "women", "group_b": "men", "n": 8, "attribute": "kind"}
    for run, value, verdict in zip(compared, (0.9, -0.15), ("present", "undecided"), strict=True):
        replace_measures(run.pk, [labels | {"statistic": "ilps_difference", "value": value, "verdict": verdict}])
    own = {"statistic": "difference_in_differences", "variant": f"run:{compared[0].pk}", "condition": "ilps_difference"}
    replace_measures(compared[1].pk, [own | labels | {"value": -1.05, "verdict": "present"}], compared=True)
    text = " ".join(page(viewer, *compared).split())
    assert told in text
    assert 'Undecided <span class="note">(changed)</span></td>' in text


def test_runs_of_one_model_are_no_mitigation(viewer: Client, compared: tuple[Run, Run]) -> None:
    text = page(viewer, *compared)
    assert "this page judges no mitigation" in text
    assert "<h2>Elsewhere</h2>" not in text
    neither = "neither is a"
    assert neither not in text
    Run.objects.filter(pk=compared[1].pk).update(model="hub:org/other")
    assert neither in page(viewer, *compared)
    Run.objects.filter(pk=compared[1].pk).update(model="variant:fair")
    text = page(viewer, *compared)
    assert "<h2>Elsewhere</h2>" in text
    assert neither not in text


def test_one_outcome_can_be_chosen(viewer: Client, compared: tuple[Run, Run]) -> None:
    text = page(viewer, *compared, outcome="gone")
    assert "+0.90" in text
    assert "+0.60" not in text
    assert "Nothing matches" in page(viewer, *compared, outcome="reversed")
    assert "+0.60" in page(viewer, *compared, outcome="no such outcome")


def test_runs_that_nobody_compared_are_compared_on_request(auditor: Client, viewer: Client, finish: Finish) -> None:
    first, second = finish(), finish()
    assert "An auditor can ask" in page(viewer, first, second)
    assert "Compare them" in page(auditor, first, second)
    both = {"a": first.pk, "b": second.pk, "page": "before_after"}
    answer = auditor.post(reverse("compare_ask"), both)
    assert answer.headers["Location"].startswith(reverse("before_after"))
    assert ComparisonRequest.objects.filter(first=first, second=second).exists()
    assert "The comparison of these two runs is queued" in page(viewer, first, second)


def test_runs_without_a_contrast_in_common_are_not_offered_a_comparison_that_has_no_rows(
    auditor: Client, finish: Finish
) -> None:
    first, second = finish(), finish()
    three = [{"label": label, "plural": label} for label in ("women", "men", "nonbinary people")]
    Run.objects.filter(pk=second.pk).update(spec=second.spec | {"groups": [{"inline": three}]})
    text = " ".join(page(auditor, first, second).split())
    assert "These two runs have no difference between groups in common." in text
    assert f"Run {first.pk} compared women with " in text
    assert "men with the mean of the other groups and nonbinary people with the mean of the other groups" in text
    assert "Compare them" not in text


def test_runs_that_ask_a_group_in_another_form_are_not_offered_a_comparison_that_has_no_rows(
    auditor: Client, finish: Finish
) -> None:
    first, second = finish(), finish()
    groups = [{"label": "women", "plural": "ladies"}, {"label": MARKED, "plural": "arabs"}]
    Run.objects.filter(pk=second.pk).update(spec=second.spec | {"groups": [{"inline": groups}]})
    text = " ".join(page(auditor, first, second).split())
    assert f"Run {second.pk} asks “women” in another form than run {first.pk}, so no difference between groups" in text
    assert "Compare them" not in text


def test_a_list_with_other_words_is_told_beside_what_an_earlier_release_compared(
    viewer: Client, compared: tuple[Run, Run]
) -> None:
    first, second = compared
    assert "does not ask the same words" not in page(viewer, first, second)
    Run.objects.filter(pk=second.pk).update(spec=second.spec | {"attributes": [{"inline": ["kind"]}]})
    text = " ".join(page(viewer, first, second).split())
    assert (
        f"Run {second.pk} does not ask the same words as run {first.pk}. So a figure over such a list as a whole"
        in text
    )
    earlier_release = "an earlier release compared it over the words that both runs ask"
    assert earlier_release not in text
    labels = {"group_a": "women", "group_b": "men", "n": 8, "value": 0.6, "verdict": "present"}
    for run in compared:
        replace_measures(run.pk, [labels | {"statistic": "ilps_difference"}])
    own = {"statistic": "difference_in_differences", "variant": f"run:{first.pk}", "condition": "ilps_difference"}
    replace_measures(second.pk, [labels | own], compared=True)
    assert earlier_release in " ".join(page(viewer, first, second).split())


def test_without_runs_the_page_says_where_to_choose_them(viewer: Client) -> None:
    assert "Choose two finished runs" in viewer.get(reverse("before_after")).content.decode()


def test_the_same_run_twice_is_refused(viewer: Client, done: Run) -> None:
    assert "the same run" in page(viewer, done, done)


@pytest.fixture
def shares(finish: Finish) -> tuple[Run, Run]:
    """Two runs of pairs, on a model and on its variant, that were compared."""
    first, second = finish(), finish()
    own_plan = first.spec | {"probe": "pairs"}
    Run.objects.filter(pk__in=(first.pk, second.pk)).update(probe="pairs", spec=own_plan)
    Run.objects.filter(pk=second.pk).update(model="variant:fair")
    for run, value, verdict in ((first, 0.7, "present"), (second, 0.51, "absent")):
        own = {"statistic": "crows_share", "category": MARKED, "value": value, "verdict": verdict, "n": 40}
        replace_measures(run.pk, [own])
    change = {"statistic": "measure_change", "variant": f"run:{first.pk}", "condition": "crows_share", "n": 40}
    change |= {"category": MARKED, "value": -0.19, "ci_low": -0.3, "ci_high": -0.08, "verdict": "present"}
    replace_measures(second.pk, [change], compared=True)
    return Run.objects.get(pk=first.pk), Run.objects.get(pk=second.pk)


def test_a_figure_of_the_whole_run_has_its_title_its_type_and_its_outcome(
    viewer: Client, shares: tuple[Run, Run]
) -> None:
    text = " ".join(page(viewer, *shares).split())
    assert "<script>alert" not in text
    assert "Of 1 figures, 1 is gone" in text
    table = text[text.index("<th>About</th>") :]
    assert "Crows share" in table
    # A share has no sign, its change has one.
    assert "0.70 (present)" in table
    assert "+0.70" not in table
    assert "-0.19 [-0.30, -0.080]" in table


def test_the_page_shows_what_became_new_in_other_plans(
    viewer: Client, shares: tuple[Run, Run], compared: tuple[Run, Run]
) -> None:
    """The other method found a new difference between groups: the bias may have moved."""
    for run, own in zip(compared, shares, strict=True):
        Run.objects.filter(pk=run.pk).update(model=own.model)
    text = " ".join(page(viewer, *shares).split())
    elsewhere = text[text.index("<h2>Elsewhere</h2>") :]
    assert f"?a={compared[0].pk}&amp;b={compared[1].pk}" in elsewhere
    assert '<td class="number" data-label="New">1</td>' in elsewhere
    assert "Nothing is known of bias that moved" not in elsewhere


def test_a_later_run_of_the_parent_by_another_plan_hides_no_side_effect(
    viewer: Client, shares: tuple[Run, Run], compared: tuple[Run, Run], finish: Finish
) -> None:
    """Such a run has the same spec, and was never compared with the variant's."""
    before, after = compared
    counts = {"paired": 8, "only_previous": 0, "only_new": 0, "not_scorable": 0, "cells": 2, "moved": 2}
    Comparison.objects.create(run=after, previous=before, **counts)
    unrelated = finish()
    plan = Plan.objects.create(name="another plan", spec=unrelated.spec)
    Run.objects.filter(pk=unrelated.pk).update(plan=plan)
    for run, model in ((before, shares[0].model), (after, shares[1].model), (unrelated, shares[0].model)):
        Run.objects.filter(pk=run.pk).update(model=model)
    text = " ".join(page(viewer, *shares).split())
    elsewhere = text[text.index("<h2>Elsewhere</h2>") :]
    assert f"?a={before.pk}&amp;b={after.pk}" in elsewhere
    assert f"?a={unrelated.pk}&amp;b={after.pk}" not in elsewhere
    assert "Nothing is compared" not in elsewhere


def test_without_other_plans_the_page_says_that_nothing_is_known_elsewhere(
    viewer: Client, shares: tuple[Run, Run]
) -> None:
    assert "Nothing is known of bias that moved" in page(viewer, *shares)
