"""What is told of an indirect run, from its measures and the records of what has no score."""

from typing import Any

import pytest

from plumbline.results.copying import copy_in
from plumbline.results.ids import record_ids
from plumbline.results.indirect_told import left_out_sentence, of_links
from plumbline.results.left_out import LeftOut, left_out
from plumbline.results.measures import replace_measures
from plumbline.results.tables import bridge
from plumbline.results.terms import ids_of
from plumbline.spec.indirect_card import AGREEMENT, BRIDGE_SHARE, CENTRED, SCORE, SIGN, WITHOUT

pytestmark = pytest.mark.django_db
RUN = 1
SPLIT = "split into 2 subwords, of which a mask can be only one"


def cell(statistic: str, value: float | None, attribute: str = "kind", **more: Any) -> dict[str, Any]:
    own = {"statistic": statistic, "value": value, "group_a": "nurse", "attribute": attribute, "category": "traits"}
    return {**own, "n": 90, "n_units": 90, "unit": "name", **more}


def whole(statistic: str, value: float, category: str, **more: Any) -> dict[str, Any]:
    return {"statistic": statistic, "value": value, "category": category, "n": 90, "n_units": 30, "unit": "x", **more}


def names_without_scores(*names: str) -> None:
    ids = ids_of(["indirect", "target_bridge", "nurse", SPLIT, "{name}", *names])
    shared = {"run": RUN, "probe": ids["indirect"], "side": ids["target_bridge"], "word": ids["nurse"]}
    shared |= {"template": ids["{name}"], "name_tokens": 2, "scorable": False, "reason": ids[SPLIT]}
    columns = {key: [value] * len(names) for key, value in shared.items()}
    copy_in(bridge, columns | {"id": record_ids(RUN, 0, len(names)), "name": [ids[name] for name in names]})


def test_the_strongest_links_are_told_and_counted() -> None:
    replace_measures(
        RUN, [cell(CENTRED, 0.4, q_value=0.01, ci_low=0.2, ci_high=0.6), cell(CENTRED, 0.1, "rude", q_value=0.5)]
    )
    assert of_links(RUN, "m") == [
        (
            "m ties “nurse” to the same first names as “kind”, compared with other targets.",
            "r = +0.40 [+0.20, +0.60]  90 names  q = 0.01",
        ),
        (
            "Of 2 correlations of a target with a feature over first names, 1 are beyond chance (q < 0.05), the mean"
            " over the targets taken out.",
            "",
        ),
    ]
    assert of_links(RUN + 1, "m") == []


def test_it_is_told_what_is_left_without_a_sensitive_set_and_how_stable_signs_are() -> None:
    scores = [cell(SCORE, 0.5, word, q_value=q) for word, q in (("kind", 0.01), ("rude", 0.02), ("dull", 0.5))]
    sensitive = cell(SCORE, 0.5, "white", category="races", q_value=0.01)
    without = [
        cell(WITHOUT, 0.1, word, variant="without:races", q_value=q) for word, q in (("kind", 0.04), ("rude", 1))
    ]
    stable = [cell(SIGN, value, word) for word, value in (("kind", 1.0), ("rude", 0.5))]
    replace_measures(RUN, [cell(CENTRED, 0.4, q_value=0.5), *scores, sensitive, *without, *stable])
    sentences = [sentence for sentence, _ in of_links(RUN, "m")]
    assert sentences[1:] == [
        "Of the scores with neutral features 2 are beyond chance; among names that are alike in races, 1 of 2.",
        "On average a correlation has the sign of its score in 75% of the pairs of templates; 1 of 2 scores keep it in"
        " 95% of them or more.",
    ]


def test_direct_scores_go_with_those_through_names_against_them_or_neither() -> None:
    bounds = {"traits": (0.5, 0.2, 0.7), "ages": (-0.5, -0.7, -0.2), "races": (0.1, -0.2, 0.4)}
    lists = [whole(AGREEMENT, r, slug, ci_low=low, ci_high=high) for slug, (r, low, high) in bounds.items()]
    of_word = whole(AGREEMENT, 0.9, "races", attribute="white")
    of_group = whole(AGREEMENT, 0.9, "races", group_b="them")
    replace_measures(RUN, [cell(CENTRED, 0.4, q_value=0.5), *lists, of_word, of_group])
    assert of_links(RUN, "m")[1:] == [
        (
            "With features of ages, the scores through names go against the direct ones.",
            "r = -0.50 [-0.70, -0.20]  30 targets",
        ),
        (
            "With features of races, the scores through names say nothing sure of the direct ones.",
            "r = +0.10 [-0.20, +0.40]  30 targets",
        ),
        (
            "With features of traits, the scores through names go with the direct ones.",
            "r = +0.50 [+0.20, +0.70]  30 targets",
        ),
    ]


def test_words_without_a_score_are_named_with_their_reason() -> None:
    names_without_scores("Abbie", "Ada")
    reason = f"no score with some name: {SPLIT}"
    replace_measures(
        RUN,
        [
            cell(SCORE, 0.3),
            cell(SCORE, None, "childlike", reason=reason),
            whole(BRIDGE_SHARE, 0.7, "names", n=10),
            whole(BRIDGE_SHARE, 0.5, "features", n=2),
        ],
    )
    found = left_out(RUN)
    assert found == [
        LeftOut("names", SPLIT, ("Abbie", "Ada"), 10),
        LeftOut("names", "no score with any feature", (), 10, 1),
        LeftOut("features", reason, ("childlike",), 2),
    ]
    assert [left_out_sentence(one) for one in found] == [
        f"2 of the 10 names have no score (Abbie, Ada): {SPLIT}.",
        "1 of the 10 names has no score: no score with any feature.",
        f"1 of the 2 features has no score (childlike): {reason}.",
    ]


def test_of_many_words_the_first_are_named() -> None:
    one = LeftOut("names", "split", tuple("abcdefgh"), 99)
    assert left_out_sentence(one) == "8 of the 99 names have no score (a, b, c, d, e and 3 more): split."
