"""The page of effect sizes: of two sets of words, and of groups between two poles."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape
from pytest_django import DjangoAssertNumQueries

from plumbline.analyses.word_sets.effects import contrast_of, effects
from plumbline.analyses.word_sets.findings import effect_figures, effect_sentence
from plumbline.analyses.word_sets.method import lacking, word_set_test
from plumbline.audits.models import Run, Snapshot
from plumbline.methods.ceat.findings import pole_sentence
from plumbline.spec.measure import Measure
from tests.plumbline.methods.conftest import CEAT, MARKED, PREFERENCE, WEAT, MakeRun, See, measured
from tests.plumbline.results.conftest import Load

SETS = {"group_a": "x", "group_b": "y", "category": "a - b", "unit": "stimulus word"}
LIKES = "{target} likes {attribute}."
EFFECT = measured("effect_size", 0.8, p_value=0.03, q_value=0.04, reason="p from all 10 splits", **SETS)
WORDS = {"math": 0.5, "algebra": 0.25, "art": -0.5, "dance": 0.0}
MEASURES = [
    EFFECT,
    EFFECT | {"variant": "one-sided", "p_value": 0.015, "q_value": None},
    EFFECT | {"variant": "uncut", "value": 0.7, "q_value": None},
    EFFECT | {"template": LIKES, "value": 0.9},
    *(
        measured("word_association", value, group_a=word, group_b="x" if word in ("math", "algebra") else "y")
        for word, value in WORDS.items()
    ),
    measured("word_association", None, group_a="calculus", group_b="x", reason="no embedding for calculus"),
    measured("cosine", 0.3, group_a="math", attribute="he", category="a"),
]


@pytest.fixture
def weat(make_run: MakeRun, load: Load) -> Run:
    run = make_run(WEAT, MEASURES)
    load(run.pk, [(LIKES, "calculus", word, None, "no embedding for calculus") for word in ("he", "him", "she", "her")])
    load(run.pk, [(LIKES, target, "her", None, "no embedding for her") for target in WORDS], shard=1)
    return run


@pytest.fixture
def ceat(make_run: MakeRun) -> Run:
    cell = {"attribute": "cold - warm", "unit": "sentence", "q_value": 0.01}
    return make_run(
        CEAT,
        [
            measured("ceat", -0.6, group_a="women", reason="drawn with replacement: the rarest", **cell),
            measured("ceat", None, group_a=MARKED, reason="does not occur", **cell),
            measured("ceat_difference", -0.9, group_a="women", group_b="(other groups)", **cell),
        ],
    )


def test_an_effect_is_shown_with_both_p_values(weat: Run) -> None:
    found = effects([Measure(**one) for one in MEASURES[:3]])
    assert [(one.variant, one.two_sided, one.one_sided) for one in found] == [("", 0.03, 0.015), ("uncut", 0.03, None)]


def test_a_dtype_in_the_variant_keeps_both_together() -> None:
    one = Measure(**(EFFECT | {"variant": "bfloat16"}))
    other = Measure(**(EFFECT | {"variant": "bfloat16, one-sided", "p_value": 0.01}))
    (found,) = effects([one, other])
    assert (found.variant, found.two_sided, found.one_sided) == ("bfloat16", 0.03, 0.01)


def test_the_released_codes_p_is_one_sided() -> None:
    (found,) = effects([Measure(**(EFFECT | {"variant": "released_code"}))])
    assert (found.two_sided, found.one_sided) == (None, 0.03)
    assert "(one-sided)" in effect_figures(found)


@pytest.mark.parametrize(
    ("value", "verdict", "expected"),
    [
        (0.8, "present", "M links x more strongly to a than to b, compared with y."),
        (-0.8, "present", "M links y more strongly to a than to b, compared with x."),
        (0.8, "undecided", "It is undecided whether M links x more strongly to a than to b, compared with y."),
        (0.1, "absent", "M links x and y to a and b alike: the effect size is shown to be smaller than 0.2."),
        (
            0.8,
            "not testable",
            "The words are too few to test whether M links x more strongly to a than to b, compared with y.",
        ),
        (None, "", "M: x and y have no effect size on a and b: too few."),
    ],
)
def test_an_effect_is_reported_in_a_sentence(value: float | None, verdict: str, expected: str) -> None:
    one = Measure(**(EFFECT | {"value": value, "verdict": verdict, "smallest_effect": 0.2, "reason": "too few"}))
    assert effect_sentence("M", contrast_of("weat", one), effects([one])[0]) == expected


def test_an_effect_without_a_test_shows_no_empty_figures() -> None:
    bare = {"p_value": None, "ci_low": None, "ci_high": None}
    (found,) = effects([Measure(**(EFFECT | bare | {"value": 1.25}))])
    assert effect_figures(found).startswith("d = +1.25  ")
    assert "p =" not in effect_figures(found)


def test_bias_scores_place_words_between_targets() -> None:
    one = Measure(**(EFFECT | {"group_a": "he", "group_b": "she", "category": "career - family"}))
    found = contrast_of("log_probability", one)
    assert (found.x, found.y, found.a, found.b) == ("career", "family", "he", "she")


def test_a_negative_difference_is_nearer_to_the_left_pole() -> None:
    one = Measure(**measured("ceat_difference", -0.9, group_a="women", group_b="men", attribute="cold - warm"))
    assert pole_sentence("M", one) == "M places women nearer to “cold” than to “warm”, compared with men."


def test_the_page_of_sets_shows_where_the_effect_comes_from(weat: Run, see: See) -> None:
    text = see("run_effects", weat)
    assert "bundled:none links x more strongly to a than to b, compared with y." in text
    assert "p from all 10 splits" in text
    assert "0.015" in text
    assert "n = 2 words, 1 left out" in text
    assert text.index(">math<") < text.index(">algebra<") < text.index(">calculus<")
    assert "Left out: no embedding for calculus" in text
    assert "<bdi>her</bdi>: no embedding for her" in text
    assert text.count("<circle") == 4
    assert f"{reverse('items', args=[weat.pk])}?group=math" in text


def test_an_attribute_word_is_left_out_where_a_template_has_it_with_no_target() -> None:
    rows = [("math", "her", "1", "why"), ("art", "her", "1", "why"), ("math", "she", "1", "other")]
    assert lacking(rows, 2) == [("her", "why")]
    assert lacking(rows, 3) == []


def test_a_word_counts_each_distinct_sentence_of_a_side_once(make_run: MakeRun, load: Load) -> None:
    """Both targets of the first side say "he" in the first template, so that sentence is no two."""
    one, other = "{group.singular} likes {attribute}.", "{group.plural} like {attribute}."
    groups = [
        {"label": "he / boys", "singular": "he", "plural": "boys"},
        {"label": "he / men", "singular": "he", "plural": "men"},
        {"label": "she", "singular": "she", "plural": "women"},
    ]
    for slug, word in (("career", "salary"), ("family", "home")):
        Snapshot.objects.create(sha256=slug * 8, content={"entries": [{"text": word}]})
    spec = PREFERENCE | {
        "groups": {"inline": groups},
        "attributes": [{"list": slug, "sha256": slug * 8} for slug in ("career", "family")],
        "templates": {"inline": [one, other]},
        "params": {"sides": [["he / boys", "he / men"], ["she"]], "compare": ["career", "family"]},
    }
    run = make_run(spec, [EFFECT])
    scores = {"he / boys": (1.0, 4.0), "he / men": (1.0, 7.0), "she": (0.5, 1.5)}
    load(
        run.pk,
        [
            (text, group, "salary", score, None)
            for group in scores
            for text, score in zip((one, other), scores[group], strict=True)
        ],
    )
    load(run.pk, [(one, "she", "home", None, "several subwords")], shard=1)
    career, family = word_set_test(run.probe).sides(run, Measure(**EFFECT))
    assert [(word.text, word.value) for word in career.words] == [("salary", (1.0 + 4.0 + 7.0) / 3 - 1.0)]
    assert [(word.text, word.value, word.reason) for word in family.words] == [("home", None, "several subwords")]


def test_the_run_page_shows_the_effect_and_offers_its_pages(weat: Run, see: See) -> None:
    text = see("run", weat)
    assert "compared with y." in text
    assert "d = +0.80 [+0.30, +1.30]  n = 6 stimulus words  p = 0.03" in text
    assert "no differences between groups" not in text
    assert reverse("run_effects", args=[weat.pk]) in text
    assert reverse("alignment", args=[weat.pk]) not in text


def test_the_other_pages_of_such_a_run_answer(weat: Run, ceat: Run, see: See) -> None:
    for run in (weat, ceat):
        for name in ("run_measures", "items", "explorer", "run_provenance"):
            see(name, run)
    assert "Effect size" in see("run_measures", weat)
    assert '<mark class="target"><bdi>calculus</bdi></mark> likes' in see("items", weat, group="calculus")


def test_groups_are_between_their_poles(ceat: Run, see: See) -> None:
    text = see("run_effects", ceat)
    assert "▼ -0.60" in text
    assert "↻ 6 sentences" in text
    assert "does not occur" in text
    assert escape(MARKED) in text
    assert MARKED not in text
    assert "places women nearer to “cold” than to “warm”" in see("run", ceat)


def test_a_pair_of_poles_leads_to_the_items_of_both(ceat: Run, load: Load, see: See) -> None:
    load(ceat.pk, [("", "women", word, 0.5, None) for word in ("cold", "warm")])
    text = see("items", ceat, attribute="cold - warm", group="women")
    assert "No item of this run" not in text
    assert "<bdi>warm</bdi>" in text


def test_each_table_is_a_file(weat: Run, ceat: Run, see: See, viewer: Client) -> None:
    assert "one-sided" in see("run_effects_csv", weat, "effects")
    assert "x,math,0.5,0.0,1.0," in see("run_effects_csv", weat, "words")
    assert "cold - warm" in see("run_effects_csv", ceat, "groups")
    assert "# title" in see("run_effects_csv", ceat, "words")
    assert viewer.get(reverse("run_effects_csv", args=[weat.pk, "other"])).status_code == 404


def test_a_run_without_effects_says_so(make_run: MakeRun, see: See) -> None:
    assert "no effect sizes" in see("run_effects", make_run(PREFERENCE, []))


def test_more_words_need_no_more_queries(
    weat: Run, see: See, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(18):
        see("run_effects", weat)
