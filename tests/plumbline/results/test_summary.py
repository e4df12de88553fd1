"""Counts and slices of a run's measures agree with its findings."""

from typing import Any

import pytest
from django.db import connection

from plumbline.results import summary
from plumbline.results.measure_writing import replace_measures
from plumbline.results.tallies import Side, tallies, tally
from plumbline.spec.prior import OTHER_PRIOR
from tests.plumbline.judged import judged

pytestmark = pytest.mark.django_db


def difference(
    attribute: str, value: float | None, q: float | None, statistic: str = "d", **more: object
) -> dict[str, object]:
    own = {"statistic": statistic, "group_a": "women", "group_b": "men", "attribute": attribute, "n": 12, "n_units": 6}
    known = {"value": value, "q_value": q, "reason": "" if value is not None else "no scorable item"}
    return judged(own | known | more)


ROWS = [
    difference("nurses", 1.0, 0.01),
    difference("nannies", 2.0, 0.2),
    difference("captains", -1.5, 0.001),
    difference("opticians", None, None),
    difference("", -0.25, 0.3, ci_low=-0.5, ci_high=0.1, category="occupations"),
    *(difference(f"word {n}", 0.5 + n / 10, 0.01, "d_centred") for n in range(5)),
    difference("captains", -0.5, 0.04, "d_centred"),
    difference("nurses", 9.0, 0.001, group_a="nobody"),
]


def counted_of(pair: tuple[str, str]) -> summary.Counted:
    (found,) = summary.counted(7, "d", [pair])
    return found


def test_contrasts_come_with_the_most_differences_first_then_by_name() -> None:
    replace_measures(7, [*ROWS, difference("nurses", 1.0, 0.9, group_a="adults"), difference("", 1.0, 0.1, group_b="")])
    replace_measures(8, [difference("nurses", 1.0, 0.01, group_a="others")])
    found = summary.contrasts(7, "d")
    assert found == [("women", "men"), ("nobody", "men"), ("adults", "men")], "one pair has no difference on a word"
    counted = summary.counted(7, "d", found)
    assert [(one.group_a, one.group_b) for one in counted] == found
    assert summary.counted(7, "d") == counted
    assert summary.contrasts(7, "d_partial") == []
    assert summary.counted(7, "d", []) == []


def test_a_contrast_is_counted_by_verdict_and_side_and_names_the_words_that_lean_most() -> None:
    replace_measures(7, ROWS)
    counted = counted_of(("women", "men"))
    assert (counted.attributes, counted.towards_a, counted.towards_b) == (4, 1, 1)
    found = tally(7, "d", counted)
    assert found.a == Side("women", linked=1, leaning=5, words=("word 4", "word 3", "word 2"))
    assert found.b == Side("men", linked=1, leaning=1, words=("captains",))
    assert (found.attributes, found.units, found.judged) == (4, 6, 3)
    assert (found.absent, found.undecided, found.not_testable) == (0, 1, 0)
    assert [(one.category, one.value) for one in found.overall] == [("occupations", -0.25)]
    assert found.under_others == ()


def test_several_contrasts_are_counted_in_as_many_queries_as_one(django_assert_num_queries: Any) -> None:
    rows = [difference("nurses", 0.7, 0.01, "d_centred", group_a="nobody"), difference("", 0.4, 0.3, group_a="nobody")]
    replace_measures(7, [*ROWS, *rows])
    both = summary.counted(7, "d")
    with django_assert_num_queries(2):
        found = tallies(7, "d", both)
    assert found == [tally(7, "d", one) for one in both]
    assert [one.a.words for one in found] == [("word 4", "word 3", "word 2"), ("nurses",)]
    assert [one.overall[0].value for one in found] == [-0.25, 0.4]
    assert tallies(7, "d", []) == []


def test_overall_differences_under_other_priors_are_apart() -> None:
    replace_measures(7, [*ROWS, difference("", 0.5, 0.3, variant=f"{OTHER_PRIOR}none", prior="none")])
    counted = counted_of(("women", "men"))
    found = tally(7, "d", counted)
    assert [one.value for one in found.overall] == [-0.25]
    assert [one.value for one in found.under_others] == [0.5]


def test_the_strongest_are_present_ones_and_each_side_has_its_own() -> None:
    replace_measures(7, ROWS)
    assert [(one.attribute, one.value) for one in summary.strongest(7, "d", 2)] == [("nurses", 9.0), ("captains", -1.5)]
    counted = counted_of(("women", "men"))
    sides = summary.strongest_of_sides(7, "d", counted, 1)
    assert sorted(one.attribute for one in sides) == ["captains", "nannies"]


def test_overall_rows_come_with_their_runs() -> None:
    replace_measures(7, ROWS)
    replace_measures(8, ROWS)
    found = summary.overall([7, 8], ["d"])
    assert [(run, one.value, one.category) for run, one in found] == [
        (7, -0.25, "occupations"),
        (8, -0.25, "occupations"),
    ]


def test_findings_are_read_through_the_index_of_present_effects() -> None:
    replace_measures(7, [*ROWS, *(difference(f"word {n}", 0.01, 0.9) for n in range(3000))])
    with connection.cursor() as cursor:
        # Among few rows every index costs the same, so the planner takes any of them.
        cursor.execute("ANALYZE results.measure")
    found = summary.of_run(7, "d").filter(summary.PRESENT).explain()
    assert "measure_present_ix" in found, found
