"""The page that holds a run against people."""

import html
import re
from dataclasses import asdict, replace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import DjangoAssertNumQueries

from plumbline.analyses.alignment.specification_curve import curve
from plumbline.analyses.alignment.tables import Alignment, Candidate, alignment_of
from plumbline.audits.models import Run
from plumbline.results.measure_writing import replace_measures
from plumbline.spec.measure import Measure
from plumbline.spec.numbers import number
from tests.plumbline.analyses.alignment.judged import ALONE, MARKED, MEN, TEMPLATES, make_run, spec


def page(client: Client, run: Run, **query: str) -> str:
    answer = client.get(reverse("alignment", args=[run.pk]), query)
    assert answer.status_code == 200
    return answer.content.decode()


def order_of(text: str) -> list[str]:
    """The groups in the order of their table."""
    return [html.unescape(one) for one in re.findall(r'profile/\?group=[^"]*"><bdi>(.*?)</bdi>', text)]


def test_the_model_is_next_to_chance_a_baseline_and_people(run: Run, viewer: Client) -> None:
    found, text = alignment_of(run.pk), page(viewer, run)
    for condition in ("model", "group_blind", "human_ceiling"):
        tau = found.overall("kendall_tau", condition)
        assert tau is not None
        assert tau.value is not None
        assert f"<b>{number(tau.value)}</b> [{number(tau.ci_low)}, {number(tau.ci_high)}]" in text
    assert '0 <span class="note">by its definition</span>' in text
    assert "Agreement with people is not a merit" in text


def test_when_and_where_people_rated_is_said_of_the_published_ratings_alone(run: Run, viewer: Client) -> None:
    assert "rated in 2022" not in page(viewer, run)
    run.spec["human"] = {"list": "abc-ratings"}
    run.save()
    assert "American society sees a group" in page(viewer, run)
    assert "rated in 2022" in page(viewer, run)


def test_each_group_has_a_row_and_the_order_is_chosen(run: Run, viewer: Client) -> None:
    assert sorted(order_of(page(viewer, run))) == sorted([MARKED, "women", "elders"])
    assert order_of(page(viewer, run, order="group")) == [MARKED, "elders", "women"]
    assert order_of(page(viewer, run, order="n"))[0] == "elders"
    values = {one.group: one.tau.value or 0.0 for one in alignment_of(run.pk).of_groups("", "tau")}
    assert order_of(page(viewer, run, order="nonsense")) == sorted(values, key=lambda one: (-values[one], one))


def test_the_groups_are_reported_for_some_raters_alone(run: Run, viewer: Client) -> None:
    text = page(viewer, run, raters=MEN)
    assert f'<option value="{MEN}" selected>' in text
    assert "exists for all raters together only" in text
    assert len(order_of(text)) == 3
    assert [one.name for one in alignment_of(run.pk).parts()] == [MEN, "gender: woman"]


def test_all_choices_of_templates_are_drawn_and_the_chosen_one_is_marked(run: Run, viewer: Client) -> None:
    text = page(viewer, run)
    assert text.count('<circle class="ring"') == 3
    assert text.count('<line class="baseline"') == 1
    assert text.count("<b>chosen</b>") == 1
    assert f"{TEMPLATES[0]} + {TEMPLATES[1]}" in text


def test_what_could_not_be_aligned_is_reported_with_its_reason(run: Run, viewer: Client) -> None:
    (left_out,) = alignment_of(run.pk).left_out()
    assert left_out.names == (ALONE,)
    assert f"{left_out.reason}: <bdi>{ALONE}</bdi>" in page(viewer, run)


def test_pairs_of_opposites_that_one_side_lacks_are_named_on_either_side() -> None:
    missing = [
        Measure("kendall_tau", "group", 0, 0, None, attribute=name, condition="model", reason=reason)
        for name, reason in (("a - b", "no ratings"), ("c - d", "not asked"), ("e - f", "not asked"))
    ]
    model = Measure("kendall_tau", "group", 4, 2, 0.5, condition="model")
    found = Alignment([*missing, model])
    assert [(one.reason, one.names) for one in found.pairs_left_out()] == [
        ("no ratings", ("a - b",)),
        ("not asked", ("c - d", "e - f")),
    ]
    assert found.overall("kendall_tau", "model") == model
    assert found.left_out() == []


@pytest.mark.parametrize(("variant", "kept"), [("flagged_kept", False), ("flagged_out", True)])
def test_flagged_cells_are_marked_and_tau_is_given_with_and_without_them(variant: str, kept: bool) -> None:
    reason = "every rater has the same rating on another pair of this group"
    cell = Measure(
        "kendall_tau", "annotator", 20, 20, None, group_a="women", attribute="a - b", condition="model", reason=reason
    )
    other = Measure("kendall_tau", "group", 4, 2, 0.25, condition="model", variant=variant)
    found = Alignment([cell, replace(other, variant="", value=0.5), other])
    assert [(one.reason, one.names) for one in found.flagged()] == [(reason, ("women, a - b",))]
    assert (found.left_out(), found.pairs_left_out(), found.flagged_kept) == ([], [], kept)
    assert [one.value for _, one in found.variants()] == [0.25]


def test_thousands_of_groups_without_ratings_are_counted_and_not_all_named() -> None:
    missing = [Measure("kendall_tau", "pair", 0, 0, None, group_a=f"g{number}", reason="none") for number in range(99)]
    (found,) = Alignment(missing).left_out()
    assert (len(found.names), found.named[-1], found.more) == (99, "g59", 39)


def test_without_ratings_the_page_says_how_to_add_them(alone: Run, viewer: Client) -> None:
    assert "human: {list: abc-ratings}" in page(viewer, alone)


def test_labels_stay_text(run: Run, viewer: Client) -> None:
    assert MARKED not in page(viewer, run)


def test_the_number_of_queries_is_bounded(
    run: Run, viewer: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(11):
        page(viewer, run)


@pytest.mark.parametrize("variant", ["float16, mirrored", "mirrored"])
def test_a_variant_of_the_whole_run_does_not_hide_the_other_ways_to_count(variant: str) -> None:
    found = Alignment([Measure("kendall_tau", "group", 4, 2, 0.5, variant=variant, condition="model")])
    assert [one.variant for _, one in found.variants()] == ["mirrored"]


def candidate(name: str, tau: float | None) -> Candidate:
    return Candidate(name, Measure("kendall_tau", "group", 4, 2, tau, reason="" if tau else "none"), None, False)


def test_the_curve_is_symmetric_around_zero_and_leaves_out_what_is_not_defined() -> None:
    drawn = curve([candidate("a", 0.5), candidate("b", 0.0), candidate("c", -0.5), candidate("d", None)])
    assert drawn is not None
    high, middle, low, missing = (point.pilot for point in drawn.points)
    assert high == drawn.frame.top
    assert low == drawn.frame.bottom
    assert middle == (drawn.frame.top + drawn.frame.bottom) / 2
    assert missing is None
    assert curve([candidate("a", 0.5)]) is None


def test_agreement_is_given_under_every_prior(run: Run, viewer: Client) -> None:
    without = re.sub(r"\s+", " ", page(viewer, run))
    assert "This run has no figures under other priors." in without
    found = alignment_of(run.pk).measures
    tau = next(one for one in found if one.statistic == "kendall_tau" and one.condition == "model" and not one.group_a)
    other = replace(tau, value=0.91, variant="prior: mean over groups", prior="mean over groups")
    replace_measures(run.pk, [asdict(one) for one in (*found, other)])
    text = page(viewer, run)
    assert "<th>With the mean over groups as prior</th>" in text
    assert "<b>+0.91</b>" in text
    assert alignment_of(run.pk).overall("kendall_tau", "model") == tau


def with_extra(**changes: Any) -> Run:
    ends = spec()["attributes"]["inline"]
    extras = {"rich": ["strong"], "cold": ["rude"]}
    told = [one | ({"extra": extras[one["text"]]} if one["text"] in extras else {}) for one in ends]
    return make_run(attributes={"inline": told, "extra": "averaged"}, **changes)


def test_figures_with_the_adjectives_beside_each_pole_are_beside_those_without(viewer: Client, db: None) -> None:
    run = with_extra()
    text = page(viewer, run)
    rows = alignment_of(run.pk).with_extra()
    assert [one.name for one, _, _ in rows] == [
        "kendall_tau",
        "kendall_tau_mean",
        "precision_at_3",
        "precision_at_3_top",
        "precision_at_3_bottom",
    ]
    for _, alone, beside in rows:
        assert alone is not None
        assert f"<b>{number(alone.value)}</b>" in text
        assert f"<b>{number(beside.value)}</b>" in text
    assert rows[0][1] is not None
    assert rows[0][1].value != rows[0][2].value
    assert len(order_of(text)) == 3
    assert [group for group, _ in alignment_of(run.pk).groups_with_extra()] == [MARKED, "elders", "women"]


def test_another_dtype_does_not_mix_the_two(viewer: Client, db: None) -> None:
    run = with_extra(dtype="bfloat16")
    assert len(order_of(page(viewer, run))) == 3
    assert "Every pair counted in both directions" in page(viewer, run)


def test_a_run_that_asks_the_poles_alone_has_no_such_section(run: Run, viewer: Client) -> None:
    assert "adjectives beside each pole" not in page(viewer, run)
