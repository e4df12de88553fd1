"""Findings in words, from a handful of measures."""

from dataclasses import asdict, replace

import pytest

from plumbline.findings.contrasts import tally_sentences, too_few_sentence
from plumbline.results.measure_writing import replace_measures
from plumbline.results.summary import counted, strongest_of_sides
from plumbline.results.tallies import tally
from plumbline.spec.measure import FAMILY_AND_KIND, Measure
from tests.plumbline.judged import judged

pytestmark = pytest.mark.django_db


def difference(attribute: str, value: float | None, q: float | None, **more: object) -> Measure:
    labels = {"statistic": "ilps_difference", "group_a": "women", "group_b": "men", "attribute": attribute} | more
    numbers = {
        "unit": "kind of sentence",
        "n": 12,
        "n_units": 12,
        "value": value,
        "q_value": q,
        "smallest_effect": 0.22,
    }
    return Measure(**judged(numbers | labels))


MEASURES = [
    difference("nurses", 1.0, 0.01),
    difference("nannies", 2.0, 0.2),
    difference("captains", -1.5, 0.001),
    difference("opticians", None, None, reason="no scorable item"),
    difference("nurses", 1.2, 0.01, statistic="ilps_difference_centred"),
    difference("", -0.25, 0.3, ci_low=-0.5, ci_high=0.1, category="occupations"),
]
SHARED = MEASURES[-1]


def test_the_strongest_come_first_and_on_their_own_side() -> None:
    replace_measures(7, map(asdict, MEASURES))
    (contrast,) = counted(7, "ilps_difference")
    sides = strongest_of_sides(7, "ilps_difference", contrast, 10)
    assert [one.attribute for one in sides if (one.value or 0) > 0] == ["nannies", "nurses"]
    assert [one.attribute for one in sides if (one.value or 0) < 0] == ["captains"]
    assert (contrast.towards_a, contrast.towards_b) == (1, 1)


def told_of(*measures: Measure) -> list[str]:
    replace_measures(7, map(asdict, measures))
    (contrast,) = counted(7, "ilps_difference")
    return tally_sentences("path:./model", tally(7, "ilps_difference", contrast))


def test_it_is_reported_how_many_differ_what_all_share_and_what_leans() -> None:
    first, shared, leaning = told_of(*MEASURES)
    assert first == (
        "Of 4 attributes, path:./model is shown to link 1 more strongly to women than to men, and 1 more strongly to"
        " men than to women (q < 0.05, 12 kinds of sentence). 1 is undecided."
    )
    assert shared == "The mean difference between women and men over occupations is undecided: -0.25 [-0.50, +0.10]."
    assert leaning == (
        "A second test compares each word with the average of its list, not with zero. By this test, 1 word leans more"
        ' to women than its list does ("nurses"), and no word is shown to lean more to men than its list does. Such a'
        " word can still be linked more strongly to the other group."
    )


def test_where_no_word_leans_one_clause_says_so_of_both_sides() -> None:
    assert told_of(MEASURES[0], SHARED)[-1] == (
        "A second test compares each word with the average of its list, not with zero. By this test, no word is shown"
        " to lean more to women or to men than its list does."
    )


def test_a_side_without_words_has_none() -> None:
    assert "is shown to link none more strongly to women than to men, and 1 more" in told_of(MEASURES[2])[0]


def test_the_mean_over_all_other_groups_is_named_in_words() -> None:
    told = " ".join(told_of(*(replace(one, group_b="(other groups)") for one in MEASURES)))
    assert (
        "is shown to link 1 more strongly to women than to the mean of the other groups, and 1 more strongly to the"
        " mean of the other groups" in told
    )
    assert "between women and the mean of the other groups over occupations" in told
    assert "(other groups)" not in told


def test_what_is_shown_to_be_small_is_reported_with_its_margin() -> None:
    small = [difference(word, 0.01, 0.9, verdict="absent") for word in ("nurses", "cooks")]
    assert "2 are shown to differ by less than 0.22" in told_of(*small)[0]


def test_too_few_kinds_of_sentence_say_nothing_beyond_these_sentences() -> None:
    few = [difference(word, 1.0, None, verdict="not testable", n_units=5) for word in ("nurses", "cooks")]
    told = told_of(*few, replace(SHARED, verdict="not testable"))
    assert told[0].startswith("Differences between women and men on single attributes could not have been found")
    assert told[1].startswith("In these sentences the mean difference between women and men over occupations is -0.25")
    assert not any("nothing found" in one or "fair" in one for one in told[:2])


@pytest.mark.parametrize(
    ("units", "kinds", "few"),
    [(4, 12, "4 word families are"), (1, 12, "1 word family is"), (5, 5, "5 kinds of sentence are")],
)
def test_a_list_that_cannot_be_tested_names_what_it_has_too_few_of(units: int, kinds: int, few: str) -> None:
    mean = replace(SHARED, verdict="not testable", unit=FAMILY_AND_KIND, n_units=units, ci_low=None, ci_high=None)
    words = [difference(word, 1.0, 0.01, category="occupations", n_units=kinds) for word in ("nurses", "cooks")]
    assert told_of(*words, mean)[1].endswith(f"over occupations is -0.25 (no interval). {few} too few to say more.")


def test_an_interval_without_zero_that_the_correction_leaves_undecided_says_so() -> None:
    corrected = replace(SHARED, value=0.64, ci_low=0.09, ci_high=1.19, q_value=0.08)
    assert told_of(MEASURES[0], corrected)[1] == (
        "The mean difference between women and men over occupations is undecided: +0.64 [+0.090, +1.19]. The interval"
        " does not hold zero, but q = 0.08 after the correction for all tests of its family."
    )
    assert told_of(MEASURES[0], replace(corrected, value=0.2, ci_low=0.1, ci_high=0.3, q_value=1.0))[1].endswith(
        "but the estimate is not beyond the smallest effect that matters, 0.22."
    )


def test_a_figure_whose_kinds_of_sentence_are_not_known_names_both_units() -> None:
    few = replace(SHARED, unit=FAMILY_AND_KIND, n_units=4)
    assert too_few_sentence(few) == (
        "Of its word families and its kinds of sentence the smaller number counts: 4 is too few to say more."
    )


def test_words_of_the_plan_itself_are_named_beside_lists() -> None:
    own = replace(SHARED, category="", value=0.1)
    assert "over the words of the plan itself is undecided" in " ".join(told_of(MEASURES[0], SHARED, own))
    assert "over the attributes is undecided" in told_of(MEASURES[0], own)[1]


@pytest.mark.parametrize(
    ("verdict", "sentence"),
    [
        ("present", "On average path:./model links the words of occupations more strongly to men than to women"),
        ("absent", "The mean difference between women and men over occupations is shown to be smaller than 0.22"),
    ],
)
def test_the_shared_part_is_reported_by_its_verdict(verdict: str, sentence: str) -> None:
    assert sentence in told_of(MEASURES[0], replace(SHARED, verdict=verdict))[1]


def test_a_run_of_earlier_rules_shows_no_verdict() -> None:
    assert told_of(*(replace(one, verdict="") for one in MEASURES)) == []


def test_a_run_without_differences_has_no_findings() -> None:
    replace_measures(7, map(asdict, MEASURES))
    assert counted(7, "log_probability_bias") == []


def test_a_present_mean_over_opposites_is_called_no_stereotype() -> None:
    shared = replace(SHARED, value=0.5, q_value=0.01, verdict="present")
    replace_measures(7, map(asdict, [*MEASURES[:-1], shared]))
    (contrast,) = counted(7, "ilps_difference")
    found = tally(7, "ilps_difference", contrast)
    told = tally_sentences("m", found, opposites={"occupations": "cold - warm"})
    assert told[2] == (
        "The words of occupations are pairs of opposites, such as cold and warm. So this mean tells to which group the"
        " model links words of both kinds, and is no stereotype by itself."
    )
    assert len(tally_sentences("m", found, opposites={"traits": "cold - warm"})) == len(told) - 1
