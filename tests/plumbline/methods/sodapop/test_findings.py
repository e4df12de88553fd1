import re
from typing import Any

import pytest

from plumbline.findings.sentences import primary_first
from plumbline.methods.sodapop.card import FEW
from plumbline.methods.sodapop.findings import of_clusters, of_words
from plumbline.results.measure_writing import replace_measures
from plumbline.spec.verdicts import Verdict

pytestmark = pytest.mark.django_db
RUN = 1


def difference(word: str, value: float | None, q: float | None, **more: Any) -> dict[str, Any]:
    pair = {"statistic": "relative_difference", "group_a": "women", "group_b": "men", "attribute": word}
    around = {} if value is None else {"ci_low": value - 0.1, "ci_high": value + 0.1, "smallest_effect": 0.1}
    verdict = "" if q is None else Verdict.PRESENT if q < 0.05 else Verdict.UNDECIDED
    of = {"value": value, "q_value": q, "least_p": 1e-6, "verdict": verdict, "n": 40, "n_units": 10, "unit": "name"}
    return {**pair, **around, **of, **more}


def clustered(a: str, value: float, q: float, **more: Any) -> dict[str, Any]:
    pair = {"statistic": "kmeans_accuracy", "group_a": a, "group_b": "men"}
    verdict = Verdict.PRESENT if q < 0.05 else Verdict.UNDECIDED
    return {**pair, "value": value, "q_value": q, "verdict": verdict, "n": 20, "n_units": 20, "unit": "name", **more}


def counted(*measures: dict[str, Any]) -> list[str]:
    """The single sentences of the findings without figures, which count."""
    replace_measures(RUN, measures)
    return [one for told, figures in of_words(RUN, "m") if not figures for one in re.split(r"(?<=\.) ", told)]


def test_the_words_that_are_present_are_reported_then_all_are_counted() -> None:
    replace_measures(RUN, [difference("kind", 0.5, 0.01), difference("rude", -0.8, 0.02), difference("calm", 0.9, 0.3)])
    assert of_words(RUN, "m") == [
        (
            "Wrong answers with “rude” mislead m more about men than about women.",
            "-0.80 [-0.90, -0.70]  n = 40 items, 10 names  q = 0.02",
        ),
        (
            "Wrong answers with “kind” mislead m more about women than about men.",
            "+0.50 [+0.40, +0.60]  n = 40 items, 10 names  q = 0.01",
        ),
        (
            "Of 3 differences (3 words, 1 pair of groups), 2 are shown to differ from zero (q < 0.05). 1 is undecided.",
            "",
        ),
    ]


def test_the_word_whose_interval_lies_farthest_from_zero_is_reported_first() -> None:
    replace_measures(RUN, [difference("rare", 2.0, 0.01, ci_low=0.01, ci_high=2.0), difference("often", 0.5, 0.01)])
    (first, _), (second, _), _ = of_words(RUN, "m")
    assert ("often" in first, "rare" in second) == (True, True)


def test_single_contexts_conditions_and_other_definitions_are_not_told() -> None:
    capped = "max_distractors 200"
    others = [
        {"variant": f"{capped}, strict"},
        {"variant": capped, "template": "c"},
        {"variant": capped, "condition": "x"},
    ]
    replace_measures(RUN, [difference("kind", 0.5, 0.3, variant=capped)])
    replace_measures(RUN + 1, [difference("kind", 0.5, 0.3, variant=capped)])
    told = of_words(RUN, "m")
    replace_measures(
        RUN, [difference("kind", 0.5, 0.3, variant=capped), *(difference("x", 1, 0.001, **one) for one in others)]
    )
    assert (
        of_words(RUN, "m")
        == told
        == [
            (
                "Of 1 difference (1 word, 1 pair of groups), 0 are shown to differ from zero (q < 0.05). 1 is"
                " undecided.",
                "",
            ),
        ]
    )


def test_words_that_name_a_gender_or_are_none_are_not_counted() -> None:
    apart = [difference("girl", 0.9, 0.01, category="definitional"), difference("ly", 0.9, 0.01, category="fragment")]
    assert counted(difference("kind", 0.5, 0.3), *apart) == [
        "Of 1 difference (1 word, 1 pair of groups), 0 are shown to differ from zero (q < 0.05).",
        "1 is undecided.",
    ]


def test_words_that_mislead_too_seldom_are_told_apart() -> None:
    few = difference("cheerful", 2.0, 0.9, category=FEW)
    assert counted(difference("kind", 0.5, 0.3), few)[2:] == [
        "1 word misleads too seldom to compare two groups: fewer than 5 times."
    ]


def test_what_is_shown_to_be_small_is_counted_with_the_margin() -> None:
    assert counted(difference("kind", 0.01, 0.9, verdict=Verdict.ABSENT))[1:] == ["1 is shown to be smaller than 0.1."]


def test_what_so_few_names_cannot_show_is_not_told_as_nothing() -> None:
    unseen = {"verdict": Verdict.NOT_TESTABLE, "n_units": 6}
    assert counted(difference("kind", 0.5, 0.9, **unseen), difference("calm", 0.2, 0.9, **unseen)) == [
        "Differences between groups could not have been found with 6 names (2 words, 1 pair of groups)."
    ]
    assert counted(difference("kind", 0.5, 0.01), difference("calm", 0.2, 0.9, **unseen))[1:] == [
        "1 could not have been found with so few names."
    ]


def test_with_five_names_a_group_many_differences_must_be_significant_together() -> None:
    """The smallest p is 2/252: of ten words in two pairs of groups four must reach it, for a q below 0.05."""
    words = [
        difference(f"word {number}", 0.5, 0.3, least_p=2 / 252, group_b=other)
        for number in range(10)
        for other in ("men", "boys")
    ]
    assert counted(*words)[2:] == [
        "With 10 names a difference can become significant only if at least 4 differences of its family do so together."
    ]


def test_words_that_confounds_take_away_say_so_and_are_last() -> None:
    replace_measures(RUN, [difference("kind", 0.5, 0.01, confounds="matched, adjusted"), difference("calm", 0.3, 0.01)])
    first, second, lost = (sentence for sentence, _ in of_words(RUN, "m"))
    assert first.endswith("“calm” mislead m more about women than about men.")
    assert second.endswith(
        "than about men. This is not significant once names are matched or adjusted for length and frequency."
    )
    assert lost.endswith("1 of the 2 is not significant once names are alike in length or frequency.")


def test_clusters_that_match_the_groups_are_counted_and_the_best_pair_is_next_to_its_chance() -> None:
    replace_measures(
        RUN,
        [
            clustered("women", 0.9, 0.001),
            clustered("women", 0.56, 1.0, condition="chance", verdict=""),
            clustered("girls", 0.6, 0.4),
            clustered("girls", 0.99, 0.0, condition="highest", verdict=""),
        ],
    )
    assert of_clusters(RUN) == [
        (
            "Two clusters of the names' success rates are shown to match the groups better than chance in 1 of 2 pairs"
            " (q < 0.05), best for women and men.",
            "accuracy 0.90, by chance 0.56  20 names  q = 0.001",
        )
    ]


def test_clusters_of_too_few_names_are_not_told_as_chance() -> None:
    replace_measures(RUN, [clustered("women", 1.0, 0.3, verdict=Verdict.NOT_TESTABLE, n_units=4)])
    assert of_clusters(RUN) == [("Two clusters could not have separated any groups with 4 names.", "")]


def test_a_run_without_a_word_to_compare_says_why() -> None:
    words = {"statistic": "distractor_words", "unit": "name", "n": 352, "n_units": 40}
    replace_measures(RUN, [{**words, "value": 0.0, "reason": "no word occurs 10 times with each name"}])
    assert of_words(RUN, "m") == [
        ("The groups of names cannot be compared: no word occurs 10 times with each name.", "")
    ]
    replace_measures(RUN, [{**words, "value": 3.0, "reason": "too rare, left out: 349"}])
    assert of_words(RUN, "m") == []


def test_a_run_that_found_nothing_says_nothing() -> None:
    replace_measures(RUN, [difference("kind", None, None, reason="too rare")])
    assert of_words(RUN, "m") == of_clusters(RUN) == []


def test_measures_of_an_earlier_release_have_no_verdict_and_are_not_told() -> None:
    replace_measures(RUN, [difference("kind", 0.5, 0.001, verdict=""), clustered("women", 0.9, 0.001, verdict="")])
    assert of_words(RUN, "m") == of_clusters(RUN) == []


def test_the_primary_definition_has_the_fewest_words_in_its_name() -> None:
    assert primary_first(["a, strict", "a", "a, expected"])[0] == "a"
    assert primary_first(["strict", "", "expected"])[0] == ""
