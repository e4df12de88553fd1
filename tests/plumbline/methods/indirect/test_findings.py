"""What is told of an indirect run, from its measures and the records of what has no score."""

from typing import Any

import pytest

from plumbline.audits.models import Run
from plumbline.findings.left_out import LeftOut, left_out_sentence
from plumbline.methods.indirect.card import AGREEMENT, BRIDGE_SHARE, CENTRED, SCORE, SIGN, WITHIN, WITHOUT
from plumbline.methods.indirect.findings import CHAINED, CONTINUED, UNGROUPED, of_links
from plumbline.methods.indirect.left_out import left_out
from plumbline.results.copying import copy_in
from plumbline.results.ids import record_ids
from plumbline.results.measure_writing import replace_measures
from plumbline.results.tables import bridge
from plumbline.results.terms import ids_of

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


def test_the_verdict_within_groups_comes_first_and_then_what_all_names_say() -> None:
    left: dict[str, Any] = {"smallest_effect": 0.1, "n": 80}
    replace_measures(
        RUN,
        [
            cell(SCORE, 0.6, ci_low=0.5, ci_high=0.7),
            cell(SCORE, -0.2, "rude"),
            cell(WITHIN, 0.4, q_value=0.01, ci_low=0.2, ci_high=0.6, verdict="present", **left),
            cell(WITHIN, 0.0, "rude", q_value=1.0, verdict="absent", **left),
        ],
    )
    assert of_links(RUN, "m") == [
        (
            "Within groups of names, first names that m links with “nurse” tend to be those that it links with “kind”.",
            "r = +0.40 [+0.20, +0.60]  80 names  q = 0.01  over all names r = +0.60",
        ),
        (
            "Of 2 correlations of a target with a feature within groups of names, 1 is shown to differ from zero, 1"
            " to be smaller than 0.1, 0 are undecided.",
            "",
        ),
        (
            "The correlation r over all names includes what the groups of names share, so it has no verdict. Its mean"
            " size is 0.40; within groups it is 0.20.",
            "",
        ),
    ]
    assert of_links(RUN + 1, "m") == []


def test_without_groups_it_is_reported_which_null_the_test_rejects() -> None:
    tested = cell(SCORE, -0.5, q_value=0.01, ci_low=-0.7, ci_high=-0.3, verdict="present")
    replace_measures(RUN, [tested, cell(SCORE, 0.1, "rude", verdict="not testable")])
    assert of_links(RUN, "m") == [
        (
            "First names that m links with “nurse” tend not to be those that it links with “kind”.",
            "r = -0.50 [-0.70, -0.30]  90 names  q = 0.01",
        ),
        (
            "Of 2 correlations of a target with a feature over first names, 1 is shown to differ from zero, 0 are"
            " undecided, 1 not testable.",
            "",
        ),
        (UNGROUPED, ""),
    ]


def test_measures_of_earlier_rules_are_no_findings() -> None:
    replace_measures(RUN, [cell(SCORE, 0.5, q_value=0.001), cell(CENTRED, 0.4, q_value=0.001)])
    assert of_links(RUN, "m") == []


@pytest.mark.parametrize(("params", "told"), [({"variant": "causal"}, CONTINUED), ({"split": "chain"}, CHAINED)])
def test_how_a_run_of_earlier_rules_was_asked_is_reported(params: dict[str, str], told: str) -> None:
    run = Run.objects.create(name="r", probe="indirect", model="path:m", spec={"params": params}, state="done")
    assert of_links(run.pk, "m") == []
    replace_measures(run.pk, [cell(SCORE, 0.5, q_value=0.001)])
    assert of_links(run.pk, "m") == [(told, "")]


def test_a_family_that_could_not_reach_the_level_is_reported_as_such() -> None:
    replace_measures(RUN, [cell(WITHIN, 0.5, verdict="not testable"), cell(SCORE, 0.5)])
    assert of_links(RUN, "m")[0][0] == (
        "Of 1 correlation of a target with a feature within groups of names none could have been found with so few"
        " names."
    )


def test_it_is_told_what_is_left_without_a_sensitive_set_and_how_stable_signs_are() -> None:
    scores = [cell(SCORE, 0.5, "kind"), cell(SCORE, -0.3, "rude"), cell(SCORE, 0.9, "white", category="races")]
    without = [cell(WITHOUT, value, word, variant="without:races") for word, value in (("kind", 0.1), ("rude", -0.2))]
    stable = [cell(SIGN, value, word) for word, value in (("kind", 1.0), ("rude", 0.5))]
    replace_measures(RUN, [cell(WITHIN, 0.1, verdict="undecided"), *scores, *without, *stable])
    assert [sentence for sentence, _ in of_links(RUN, "m")][2:] == [
        "For neutral features the mean size of r over all names is 0.40; among names that are alike in races it is"
        " 0.15.",
        "On average r has the sign that it has over all templates in 75% of the pairs of templates. For 1 of 2"
        " correlations it has this sign in 95% of the pairs or more.",
    ]


def test_direct_scores_go_with_those_through_names_or_against_them_by_the_verdict() -> None:
    told = {
        "traits": (0.5, "present"),
        "ages": (-0.5, "present"),
        "races": (0.0, "absent"),
        "sports": (0.2, "undecided"),
    }
    lists = [whole(AGREEMENT, r, slug, verdict=verdict, smallest_effect=0.1) for slug, (r, verdict) in told.items()]
    few = whole(AGREEMENT, 0.9, "unsure", verdict="not testable", n_units=5)
    of_word = whole(AGREEMENT, 0.9, "races", attribute="white", verdict="present")
    of_group = whole(AGREEMENT, 0.9, "races", group_b="them", verdict="present")
    replace_measures(RUN, [cell(WITHIN, 0.1, verdict="undecided"), *lists, few, of_word, of_group])
    assert [sentence for sentence, _ in of_links(RUN, "m")][2:] == [
        "For features of ages, the scores through names correlate negatively with the direct scores over targets.",
        "For features of races, the correlation of the scores through names with the direct ones is shown to be smaller"
        " than 0.1.",
        "For features of sports, it is undecided whether the scores through names correlate with the direct ones.",
        "For features of traits, the scores through names correlate positively with the direct scores over targets.",
        "For features of unsure, 5 targets are too few to test whether the scores through names correlate with the"
        " direct ones.",
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
