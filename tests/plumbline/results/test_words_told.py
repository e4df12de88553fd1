from typing import Any

import pytest

from plumbline.results.measures import replace_measures
from plumbline.results.words_told import of_clusters, of_words, primary_first
from plumbline.spec.sodapop_card import CONFOUNDED

pytestmark = pytest.mark.django_db
RUN = 1


def difference(word: str, value: float | None, q: float | None, **more: Any) -> dict[str, Any]:
    pair = {"statistic": "relative_difference", "group_a": "women", "group_b": "men", "attribute": word}
    around = {} if value is None else {"ci_low": value - 0.1, "ci_high": value + 0.1}
    return {**pair, **around, "value": value, "q_value": q, "n": 40, "n_units": 10, "unit": "name", **more}


def clustered(a: str, value: float, q: float, **more: Any) -> dict[str, Any]:
    pair = {"statistic": "kmeans_accuracy", "group_a": a, "group_b": "men"}
    return {**pair, "value": value, "q_value": q, "n": 20, "n_units": 20, "unit": "name", **more}


def test_the_strongest_words_beyond_chance_are_told_then_all_are_counted() -> None:
    replace_measures(RUN, [difference("kind", 0.5, 0.01), difference("rude", -0.8, 0.02), difference("calm", 0.9, 0.3)])
    assert of_words(RUN, "m") == [
        (
            "Wrong answers with “rude” mislead m more about men than about women.",
            "-0.80 [-0.90, -0.70]  n = 40  q = 0.02",
        ),
        (
            "Wrong answers with “kind” mislead m more about women than about men.",
            "+0.50 [+0.40, +0.60]  n = 40  q = 0.01",
        ),
        ("Of 3 differences (3 words, 1 pair of groups), 2 are beyond chance (q < 0.05).", ""),
    ]


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
        == [("Of 1 difference (1 word, 1 pair of groups), 0 are beyond chance (q < 0.05).", "")]
    )


def test_words_that_name_a_gender_or_are_none_are_not_counted() -> None:
    apart = [difference("girl", 0.9, 0.01, category="definitional"), difference("ly", 0.9, 0.01, category="fragment")]
    replace_measures(RUN, [difference("kind", 0.5, 0.3), *apart])
    assert of_words(RUN, "m") == [("Of 1 difference (1 word, 1 pair of groups), 0 are beyond chance (q < 0.05).", "")]


def test_what_confounds_leave_is_told_with_the_word_and_counted() -> None:
    replace_measures(RUN, [difference("kind", 0.5, 0.01, reason=f"{CONFOUNDED} matched")])
    (sentence, _), (counted, _) = of_words(RUN, "m")
    assert sentence.endswith("than about men, but not told from 0 once names are matched.")
    assert counted.endswith("; 1 of these is not told from 0 once names are alike in length or frequency.")


def test_clusters_beyond_chance_are_counted_and_the_best_pair_named() -> None:
    replace_measures(
        RUN,
        [
            clustered("women", 0.9, 0.001),
            clustered("girls", 0.6, 0.4),
            clustered("girls", 0.99, 0.0, condition="highest"),
        ],
    )
    assert of_clusters(RUN) == [
        (
            "Two clusters of the names' success rates tell the groups apart beyond chance (q < 0.05) in 1 of 2 pairs,"
            " best women from men.",
            "accuracy 0.90  20 names  q = 0.001",
        )
    ]


def test_a_run_that_found_nothing_says_nothing() -> None:
    replace_measures(RUN, [difference("kind", None, None, reason="too rare")])
    assert of_words(RUN, "m") == of_clusters(RUN) == []


def test_the_primary_definition_has_the_fewest_words_in_its_name() -> None:
    assert primary_first(["a, strict", "a", "a, expected"])[0] == "a"
    assert primary_first(["strict", "", "expected"])[0] == ""
