"""The outcome of a difference between two groups, from the stored verdicts of two runs and of the change."""

from typing import Any

import pytest

from plumbline.results import before_after
from plumbline.results.measure_writing import replace_measures
from plumbline.spec.registry import PROBES

pytestmark = pytest.mark.django_db

EARLIER, LATER = 811, 812
Judged = tuple[float, str]


class Stored:
    """Differences as two summaries and a comparison leave them."""

    def __init__(self) -> None:
        self.rows: dict[int, list[dict[str, Any]]] = {EARLIER: [], LATER: []}
        self.changes: list[dict[str, Any]] = []

    def add(
        self,
        before: Judged,
        after: Judged,
        change: str,
        attribute: str = "nurse",
        variants: tuple[str, str] = ("", ""),
        by: float | None = None,
    ) -> None:
        """Store one more difference, which changed by `by`, or as its two values say."""
        labels = {"group_a": "women", "group_b": "men", "category": "jobs", "attribute": attribute, "n": 8}
        for run, (value, verdict), variant in zip((EARLIER, LATER), (before, after), variants, strict=True):
            own = {"statistic": "ilps_difference", "variant": variant, "value": value, "verdict": verdict}
            self.rows[run].append({**own, **labels})
            replace_measures(run, self.rows[run])
        own = {"statistic": "difference_in_differences", "variant": f"run:{EARLIER}", "condition": "ilps_difference"}
        value = after[0] - before[0] if by is None else by
        self.changes.append({**own, "value": value, "verdict": change, **labels})
        replace_measures(LATER, self.changes, compared=True)


@pytest.fixture
def stored() -> Stored:
    return Stored()


def outcome() -> str:
    (row,) = before_after.differences(LATER, EARLIER)
    return str(row["outcome"])


@pytest.mark.parametrize(
    ("before", "after", "change", "expected"),
    [
        ((0.9, "present"), (0.02, "absent"), "present", "gone"),
        # Not significant after is not gone.
        ((0.9, "present"), (0.02, "undecided"), "present", "weaker"),
        ((0.9, "present"), (0.02, "absent"), "undecided", "undecided"),
        ((0.9, "present"), (0.4, "present"), "present", "weaker"),
        ((-0.9, "present"), (-0.4, "present"), "present", "weaker"),
        ((0.4, "present"), (0.9, "present"), "present", "stronger"),
        ((0.5, "present"), (-0.6, "present"), "present", "reversed"),
        ((0.01, "absent"), (0.7, "present"), "present", "new"),
        ((0.2, "undecided"), (-0.7, "present"), "present", "new"),
        ((0.9, "present"), (0.8, "present"), "absent", "unchanged"),
        ((0.9, "present"), (0.5, "present"), "undecided", "undecided"),
        ((0.3, "undecided"), (-0.3, "undecided"), "present", "undecided"),
        ((0.9, "present"), (0.1, "not testable"), "not testable", "undecided"),
        # Summarised under earlier rules: without a verdict.
        ((0.9, ""), (0.7, "present"), "present", "undecided"),
    ],
)
def test_the_outcome_follows_from_the_three_verdicts(
    before: Judged, after: Judged, change: str, expected: str, stored: Stored
) -> None:
    stored.add(before, after, change)
    assert outcome() == expected


@pytest.mark.parametrize(
    ("before", "after", "by"),
    [
        ((0.4, "present"), (0.9, "present"), -0.25),
        ((0.75, "present"), (0.75, "present"), -0.25),
        ((0.9, "present"), (0.4, "present"), 0.1),
        ((0.9, "present"), (0.02, "absent"), 0.3),
        ((0.01, "absent"), (0.7, "present"), -0.3),
    ],
)
def test_a_change_against_the_two_values_decides_nothing(
    before: Judged, after: Judged, by: float, stored: Stored
) -> None:
    stored.add(before, after, "present", by=by)
    assert outcome() == "undecided"


@pytest.mark.parametrize("variant", ["self_debias", "self_debias decay 0.5"])
def test_a_plain_run_and_one_with_self_debias_are_compared(stored: Stored, variant: str) -> None:
    stored.add((0.9, "present"), (0.02, "absent"), "present", variants=("", variant))
    assert outcome() == "gone"


def test_a_difference_under_another_prior_is_no_outcome(stored: Stored) -> None:
    stored.add((0.9, "present"), (0.02, "absent"), "present", variants=("", "prior: none, self_debias"))
    assert before_after.differences(LATER, EARLIER) == []


def test_a_change_under_another_definition_is_joined_with_that_definition(stored: Stored) -> None:
    stored.add((0.9, "present"), (0.02, "absent"), "present", variants=("k 2, per total", "k 2, per total"))
    assert before_after.differences(LATER, EARLIER) == []
    stored.changes[0]["condition"] = "ilps_difference: k 2, per total"
    replace_measures(LATER, stored.changes, compared=True)
    assert outcome() == "gone"


def test_outcomes_are_counted_and_what_became_worse_comes_first(stored: Stored) -> None:
    stored.add((0.9, "present"), (0.02, "absent"), "present", "nurse")
    stored.add((0.9, "present"), (0.3, "present"), "present", "baker")
    stored.add((0.0, "absent"), (0.5, "present"), "present", "judge")
    stored.add((0.0, "absent"), (0.8, "present"), "present", "pilot")
    counts = before_after.outcome_counts(LATER, EARLIER)
    assert counts == {
        "gone": 1, "weaker": 1, "unchanged": 0, "stronger": 0, "reversed": 0, "new": 2, "changed": 0, "undecided": 0,
    }  # fmt: skip
    rows = before_after.differences(LATER, EARLIER)
    assert [row["attribute"] for row in rows] == ["pilot", "judge", "nurse", "baker"]
    assert before_after.count(LATER, EARLIER, "new") == 2
    assert [one["attribute"] for one in before_after.differences(LATER, EARLIER, attribute="AK")] == ["baker"]
    assert [one["attribute"] for one in before_after.differences(LATER, EARLIER, first=1, rows=2)] == ["judge", "nurse"]


def test_a_percent_sign_is_looked_for_as_it_is(stored: Stored) -> None:
    stored.add((0.9, "present"), (0.02, "absent"), "present")
    assert before_after.count(LATER, EARLIER, attribute="%") == 0


def test_a_comparison_with_another_run_is_not_among_them(stored: Stored) -> None:
    stored.add((0.9, "present"), (0.02, "absent"), "present")
    assert before_after.differences(LATER, EARLIER + 5) == []


def store_figure(
    before: Judged, after: Judged, change: str, statistic: str = "crows_share", condition: str = ""
) -> None:
    """Store a figure of two whole runs and its change, beside figures of other conditions and variants."""
    for run, (value, verdict) in zip((EARLIER, LATER), (before, after), strict=True):
        own = {"statistic": statistic, "value": value, "verdict": verdict, "n": 40, "variant": "letters"}
        others = [own | {"variant": "letters, without flagged", "value": 9.0}]
        others.append(own | {"condition": f"{condition}other", "value": 8.0})
        replace_measures(run, [*others, own | {"condition": condition}])
    named = f"{statistic}, {condition}" if condition else statistic
    change_row = {"statistic": "measure_change", "variant": f"run:{EARLIER}", "condition": named, "n": 40}
    replace_measures(LATER, [change_row | {"value": after[0] - before[0], "verdict": change}], compared=True)


@pytest.mark.parametrize(
    ("before", "after", "change", "expected"),
    [
        # A share shows nothing at one half.
        ((0.8, "present"), (0.6, "present"), "present", "weaker"),
        ((0.2, "present"), (0.4, "present"), "present", "weaker"),
        ((0.8, "present"), (0.3, "present"), "present", "reversed"),
        ((0.6, "present"), (0.9, "present"), "present", "stronger"),
        ((0.8, "present"), (0.51, "absent"), "present", "gone"),
        ((0.5, "absent"), (0.9, "present"), "present", "new"),
        ((0.8, "present"), (0.8, "present"), "absent", "unchanged"),
        # Figures without a verdict of their own.
        ((0.8, ""), (0.6, ""), "present", "changed"),
        ((0.8, ""), (0.8, ""), "absent", "unchanged"),
        ((0.8, ""), (0.7, ""), "undecided", "undecided"),
    ],
)
def test_a_share_is_judged_from_one_half(before: Judged, after: Judged, change: str, expected: str) -> None:
    store_figure(before, after, change)
    (row,) = before_after.differences(LATER, EARLIER)
    assert (row["outcome"], row["statistic"], row["value_before"]) == (expected, "crows_share", before[0])


def test_a_figure_is_that_of_its_condition_in_the_runs_own_variant() -> None:
    store_figure((0.3, "present"), (0.1, "present"), "present", "s_amb", "ambig")
    (row,) = before_after.differences(LATER, EARLIER)
    assert (row["statistic"], row["condition"], row["value_before"], row["value"]) == ("s_amb", "ambig", 0.3, 0.1)


def test_the_view_knows_which_figures_show_nothing_at_one_half() -> None:
    judged = {one.name: one.null for method in PROBES.values() for one in method.card.statistics if one.scale}
    assert {name: null for name, null in judged.items() if null} == {
        name: 0.5 for name in judged if name.endswith("_share") or name == "attribute_preference"
    }
