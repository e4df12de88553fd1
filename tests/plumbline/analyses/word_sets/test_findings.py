from typing import Any

import pytest

from plumbline.analyses.word_sets.findings import of_effects
from plumbline.audits.models import Run
from plumbline.methods.ceat.findings import of_groups
from plumbline.results.measure_writing import replace_measures
from tests.plumbline.judged import judged

pytestmark = pytest.mark.django_db
RUN = 1


def effect(value: float | None, **more: Any) -> dict[str, Any]:
    sets = {"statistic": "effect_size", "group_a": "flowers", "group_b": "insects", "category": "pleasant - unpleasant"}
    own = {**sets, "value": value, "p_value": 0.01, "n": 50, "n_units": 50, "unit": "word", **more}
    return judged({"q_value": own["p_value"], **own})


def placed(group: str, value: float, q: float, other: str = "(other groups)") -> dict[str, Any]:
    cell = {"statistic": "ceat_difference", "group_a": group, "group_b": other, "attribute": "cold - warm"}
    figures = {"value": value, "ci_low": value - 0.1, "ci_high": value + 0.1, "p_value": q, "q_value": q}
    return judged({**cell, **figures, "n": 30, "n_units": 3})


def test_an_effect_size_is_reported_with_its_direction_and_p() -> None:
    replace_measures(RUN, [effect(-1.25), effect(0.5, template="one"), effect(0.7, variant="uncut")])
    assert of_effects(Run(pk=RUN, probe="weat", model="m")) == [
        (
            "m links insects more strongly to pleasant than to unpleasant, compared with flowers.",
            "d = -1.25  n = 50 words  p = 0.01  q = 0.01",
        )
    ]


@pytest.mark.parametrize(
    ("value", "p", "sentence"),
    [
        (-1.25, 0.01, "In these sentences m links insects more strongly to pleasant than to unpleasant, compared with"),
        (0.2, 0.4, "It is undecided whether in these sentences m links flowers more strongly to pleasant than to"),
    ],
)
def test_an_effect_in_sentences_is_about_these_sentences(value: float, p: float, sentence: str) -> None:
    """The test exchanges words, so two templates tell nothing about other sentences."""
    replace_measures(RUN, [effect(value, p_value=p)])
    ((told, _),) = of_effects(Run(pk=RUN, probe="weat", model="m", spec={"templates": {"inline": ["{target}."]}}))
    assert told.startswith(sentence)


def test_what_is_not_beyond_chance_or_has_no_value_says_so() -> None:
    found = [effect(0.2, p_value=0.4), effect(None, p_value=None, group_a="tools", reason="no word is left")]
    replace_measures(RUN, found)
    (chance, _), (missing, figures) = of_effects(Run(pk=RUN, probe="weat", model="m"))
    assert chance.startswith("It is undecided whether m links ")
    assert chance.endswith("compared with insects.")
    assert (missing, figures) == (
        "m: tools and insects have no effect size on pleasant and unpleasant: no word is left.",
        "",
    )


def test_an_effect_without_a_test_says_why() -> None:
    reason = "no interval and no test: draws repeat sentences"
    replace_measures(RUN, [effect(0.4, p_value=None, q_value=None, verdict="not testable", reason=reason)])
    ((told, figures),) = of_effects(Run(pk=RUN, probe="weat", model="m"))
    assert told == (
        "It cannot be tested whether m links flowers more strongly to pleasant than to unpleasant, compared with"
        " insects (no interval and no test: draws repeat sentences)."
    )
    assert figures == "d = +0.40  n = 50 words"


def test_groups_between_opposites_are_reported_the_strongest_first_and_counted() -> None:
    replace_measures(RUN, [placed("elves", -0.4, 0.01), placed("dwarves", 0.9, 0.02), placed("orcs", 1.5, 0.3)])
    assert [sentence for sentence, _ in of_groups(RUN, "m")] == [
        "m places dwarves nearer to “warm” than to “cold”, compared with the mean of the other groups.",
        "m places elves nearer to “cold” than to “warm”, compared with the mean of the other groups.",
        "Of 3 differences of a group from the others on a pair of opposites, 2 are shown to differ from zero"
        " (q < 0.05). 1 is undecided.",
    ]
    assert not of_groups(RUN + 1, "m")


def test_the_difference_of_two_groups_names_both() -> None:
    replace_measures(RUN, [placed("elves", -0.4, 0.01, other="orcs")])
    assert [sentence for sentence, _ in of_groups(RUN, "m")] == [
        "m places elves nearer to “cold” than to “warm”, compared with orcs.",
        "Of 1 difference between elves and orcs on a pair of opposites, 1 is shown to differ from zero (q < 0.05).",
    ]


def test_groups_that_no_test_could_find_are_not_told_as_ones_without_a_difference() -> None:
    reason = "drawn with replacement: the rarest of its words has 1 sentence in the corpus; no interval and no test"
    untested = [
        placed(group, 0.4, 1) | {"verdict": "not testable", "reason": reason, "p_value": None}
        for group in ("elves", "orcs")
    ]
    replace_measures(RUN, [*untested, placed("dwarves", 0.9, 0.02)])
    assert of_groups(RUN, "m")[-1] == (
        "Of 3 differences of a group from the others on a pair of opposites, 1 is shown to differ from zero (q < 0.05)."
        " 2 cannot be tested: a word has fewer than 30 sentences in the corpus.",
        "",
    )
    replace_measures(RUN, untested)
    assert of_groups(RUN, "m") == [
        (
            "None of 2 differences of a group from the others on a pair of opposites can be tested: a word has"
            " fewer than 30 sentences in the corpus. The figures describe the sentences of this corpus only.",
            "",
        )
    ]
