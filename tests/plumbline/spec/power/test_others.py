"""What the plans of the other methods test."""

from math import inf
from typing import Any

import pytest

from plumbline.spec.audit import parse
from plumbline.spec.numbers import counted
from plumbline.spec.power.tests import PlannedTest
from plumbline.spec.power.word_sets import of_sets
from tests.plumbline.spec.some_questions import question


def bbq(templates: int, **params: Any) -> list[PlannedTest]:
    bank = {"inline": [question(template=str(one), number=one, id=f"q{one}") for one in range(templates)]}
    spec = {"name": "b", "probe": "bbq", "model": "bundled:mcq-demo", "bank": bank, "params": params}
    return parse(spec).planned_tests({})


def test_a_bias_score_is_over_templates() -> None:
    (one,) = bbq(12)
    assert (one.statistic, one.n_units, one.members, one.is_possible) == ("s_amb", 12, 1, True)
    assert not bbq(7)[0].is_possible
    assert bbq(7, fewest_templates=2)[0].is_possible


@pytest.mark.parametrize(("templates", "notes"), [(58, 1), (59, 0)])
def test_without_errors_59_templates_show_that_there_is_no_bias(templates: int, notes: int) -> None:
    assert len(bbq(templates)[0].notes) == notes


def in_categories(*sizes: int, **further: Any) -> list[PlannedTest]:
    """Return the tests of a BBQ plan with categories of these numbers of templates."""
    inline = [
        question(category=f"c{place}", template=str(one), number=one, id=f"q{place}.{one}", **further)
        for place, size in enumerate(sizes)
        for one in range(size)
    ]
    spec = {"name": "b", "probe": "bbq", "model": "bundled:mcq-demo", "bank": {"inline": inline}}
    return parse(spec).planned_tests({})


@pytest.mark.parametrize(
    ("sizes", "told"),
    [
        (
            (3, 3, 1, 1, 1, 3),
            "None of the 6 categories of this plan can be tested: they have 1 to 3 templates, and a test needs 8."
            " Only the scores over all categories together can be tested.",
        ),
        ((1, 1), "None of the 2 categories of this plan can be tested: they have 1 template, and a test needs 8."),
        ((9, 7, 2), "2 of 3 categories of this plan cannot be tested: they have 2 to 7 templates, and a test needs 8."),
        ((9, 7), "1 of 2 categories of this plan cannot be tested: it has 7 templates, and a test needs 8."),
    ],
)
def test_categories_with_too_few_templates_are_counted(sizes: tuple[int, ...], told: str) -> None:
    assert in_categories(*sizes)[1].warnings == (told,)


def test_categories_with_enough_templates_have_no_warning() -> None:
    whole, categories = in_categories(8, 9)
    assert (whole.warnings, categories.warnings, categories.n_units, categories.members) == ((), (), 8, 2)


def test_the_templates_that_show_no_bias_are_given_in_plain_words() -> None:
    said = (
        "A run can show that a category's bias is below 0.05 only with 59 or more templates, even if the model makes no"
        " error. {}"
    )
    assert in_categories(8, 9)[0].notes == (said.format("All 2 categories of this plan have fewer."),)
    assert in_categories(60, 9)[0].notes == (said.format("1 of 2 categories of this plan has fewer."),)
    assert in_categories(9)[0].notes == (said.format("The only category of this plan has fewer."),)


def test_templates_with_names_are_named_as_a_category_of_their_own() -> None:
    told = "Templates with proper names count as a category of their own, such as c0 (names)."
    assert in_categories(9, label_type="name")[0].needs == (told,)
    assert in_categories(9)[0].needs == ()


def sodapop(*sizes: int) -> list[PlannedTest]:
    names = [{"name": f"n{group}{one}", "group": str(group)} for group, size in enumerate(sizes) for one in range(size)]
    context = {"id": "c", "context": "{name} waits.", "question": "Why?", "prompt": "{name} is", "answer": "late"}
    spec = {
        "name": "s",
        "probe": "sodapop",
        "model": "bundled:mcq-demo",
        "generator": "bundled:masked-demo",
        "names": {"inline": names},
        "contexts": {"inline": [context]},
    }
    return parse(spec).planned_tests({})


def test_few_names_can_show_nothing() -> None:
    (one,) = sodapop(5, 5)
    assert (one.least_p, one.is_possible) == (2 / 252, True)
    assert sodapop(3, 4)[0].needed > 1
    assert not sodapop(3, 3)[0].is_possible


def test_the_groups_with_most_names_show_most() -> None:
    assert sodapop(3, 9, 5)[0].given == "5 and 9 names"


def test_a_correlation_within_groups_counts_no_name_that_is_alone_in_its_group() -> None:
    names = [{"name": f"n{one}", "group": str(one // 10)} for one in range(41)]
    spec = {
        "name": "i",
        "probe": "indirect",
        "model": "bundled:masked-demo",
        "targets": {"inline": ["nurse", "pilot"]},
        "features": {"inline": ["kind", "cold", "brave"]},
        "bridge": {"inline": names},
        "target_bridge": {"inline": ["{name} is a {target}."]},
        "bridge_feature": {"inline": ["{name} is {feature}."]},
    }
    (one,) = parse(spec).planned_tests({})
    assert (one.statistic, one.n_units, one.members) == ("within_group_correlation", 40, 6)
    assert 0.3 < one.detectable(one.spread) < 0.7
    ungrouped = {**spec, "bridge": {"inline": [{"name": one["name"]} for one in names]}}
    assert parse(ungrouped).planned_tests({})[0].statistic == "indirect_log_probability_bias"


def test_an_effect_size_is_detected_from_the_numbers_of_words_alone() -> None:
    """Two sets of 25 words: a difference of 0.81 deviations of a set (Cohen 1988), in deviations of both together."""
    one = of_sets(25, 25, draws=9999, alpha=0.05, margin=0.2)
    assert one.detectable(one.spread) == pytest.approx(0.75, abs=0.04)
    assert of_sets(3, 3, draws=9999, alpha=0.05, margin=0.2).n_units == 6


def test_cut_sets_double_the_least_p() -> None:
    plain, cut = (of_sets(5, 8, draws=9999, alpha=0.05, margin=0.2, cut=cut) for cut in (False, True))
    assert (plain.least_p, cut.least_p) == (1 / 1287, 4 / 252)


def test_what_no_possible_effect_reaches_is_infinite() -> None:
    (one,) = bbq(8)
    assert one.detectable(3.0) == inf


def test_units_are_counted_in_words() -> None:
    assert [counted(1, "name"), counted(2, "word family")] == ["1 name", "2 word families"]
    assert counted(1200, "kind of sentence") == "1,200 kinds of sentence"
