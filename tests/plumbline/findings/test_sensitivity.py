"""What is told of a plan before its launch."""

from typing import Any

import pytest

from plumbline.audits.freezing import frozen_spec
from plumbline.audits.launching import launch
from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.findings.sensitivity import WHY_DEFAULT, sensitivity, sensitivity_of
from plumbline.results.earlier_spreads import earlier_runs, earlier_spread
from plumbline.results.measure_writing import replace_measures
from plumbline.spec.audit import AuditSpec, parse
from plumbline.vocab.models import GroupList

pytestmark = pytest.mark.django_db
VERBS = ("are", "seem", "become", "stay", "feel", "look", "act", "sound")


def plan(kinds: int = 8, words: int = 3, **changes: Any) -> AuditSpec:
    spec = {
        "name": "traits",
        "probe": "ilps",
        "model": "bundled:masked-demo",
        "groups": {"inline": [{"label": name, "plural": name} for name in ("women", "men")]},
        "prior": {"mask": "one"},
        "attributes": {"inline": [f"word{letter}" for letter in "abcdefghijklmnop"[:words]]},
        "templates": {"inline": [f"{{Group.plural}} {verb} {{attribute}}." for verb in VERBS[:kinds]]},
    }
    return parse({**spec, **changes})


def sentences(spec: AuditSpec) -> list[str]:
    return [one.sentence for one in sensitivity(spec).statements]


def finished(spec: AuditSpec, *half_widths: float, units: int = 8, attribute: str = "word") -> Run:
    run = launch(spec)
    Run.objects.filter(pk=run.pk).update(state=RunState.DONE)
    replace_measures(
        run.pk,
        [
            {
                "statistic": "ilps_difference",
                "attribute": attribute and f"{attribute}{number}",
                "value": 0.1,
                "ci_low": 0.1 - half,
                "ci_high": 0.1 + half,
                "n": units,
                "n_units": units,
            }
            for number, half in enumerate(half_widths)
        ],
    )
    return run


def test_without_an_earlier_run_the_spread_is_a_default_and_named_as_one() -> None:
    told = sentences(plan())
    assert told[0] == (
        "With 8 kinds of sentence, this plan finds a difference of 0.39 (about 1.5 times as likely) on one word in 8 of"
        " 10 cases (default spread). It finds a smaller one less often."
    )
    assert (
        told[1] == "A single one of 3 differences can become significant, if all 8 kinds of sentence lean the same way."
    )
    assert WHY_DEFAULT in told


@pytest.mark.parametrize("changes", [{"probe": "set"}, {"half_width": 60.0}])
def test_only_a_small_difference_of_log_probabilities_is_a_factor_too(changes: dict[str, Any]) -> None:
    if half_width := changes.pop("half_width", 0.0):
        finished(plan(), half_width)
    told = sentences(plan(**changes))[0]
    assert "this plan finds a difference of " in told
    assert "times as likely" not in told


def test_a_finished_run_of_this_method_and_model_gives_the_spread() -> None:
    # 95% intervals over 8 kinds: half width = 2.365 sd / sqrt(8).
    run = finished(plan(), 2.365, 2 * 2.365, 100.0)
    found = earlier_spread(earlier_runs("ilps", "bundled:masked-demo"), "ilps_difference", {"attribute": True}, "")
    assert found
    assert found.run == run.pk
    assert found.value == pytest.approx(2 * 8**0.5, rel=1e-3)
    assert f"in 8 of 10 cases (spread as in run {run.pk})." in sentences(plan())[0]


FAR_BEYOND = (
    "If 5% of its tests are real effects, the smallest effect that this plan mostly finds is a difference of 1.9 on one"
    " word. That is about 9 times 0.22,"
    " the smallest effect that matters here. It finds effects in between in fewer than 8 of 10 cases. With more"
    " kinds of sentence it finds smaller ones."
)


@pytest.mark.parametrize(
    ("half_width", "changes", "warns"),
    [(1.0, {}, True), (1.0, {"smallest_effect": None}, False), (0.3, {}, False)],
)
def test_a_plan_that_finds_only_effects_far_beyond_the_smallest_that_matters_warns(
    half_width: float, changes: dict[str, Any], warns: bool
) -> None:
    finished(plan(), half_width)
    assert (FAR_BEYOND in sensitivity(plan(**changes)).warnings) is warns
    assert any("times 0.22" in one for one in sentences(plan(**changes))) is warns


def test_the_factor_is_that_of_the_figure_beside_it() -> None:
    finished(plan(), 0.7)
    assert "a difference of 1.3 (about 3.7 times as likely) on one word" in sentences(plan())[0]


def test_of_a_finished_run_its_own_spread_counts_and_no_later_one() -> None:
    run = finished(plan(), 1.0)
    finished(plan(), 0.3)
    frozen, snapshots = frozen_spec(run)
    assert f"(spread as in run {run.pk})." in sensitivity_of(frozen, snapshots, run).statements[0].sentence


def test_a_run_of_the_same_groups_and_sentences_comes_before_a_later_one_of_others() -> None:
    run = finished(plan(words=2), 1.0)
    finished(plan(groups={"inline": [{"label": name, "plural": name} for name in ("elves", "men")]}), 3.0)
    finished(plan(kinds=7), 3.0)
    assert f"(spread as in run {run.pk})." in sentences(plan())[0]


def test_a_list_that_got_an_entry_that_nobody_asks_leaves_the_groups_the_same() -> None:
    people = GroupList.objects.create(slug="people", title="People")
    for place, name in enumerate(("women", "men"), 1):
        people.entries.create(position=place, label=name, plural=name)
    spec = plan(groups={"list": "people", "only": ["women", "men"]})
    run = finished(spec, 1.0)
    people.entries.create(position=3, label="elves", plural="elves")
    assert f"(spread as in run {run.pk})." in sentences(spec)[0]
    people.entries.filter(label="men").update(plural="gentlemen")
    assert "which asked other groups or sentences: a rough guess" in sentences(spec)[0]


def test_words_and_lists_have_spreads_of_their_own() -> None:
    finished(plan(), 1.0, attribute="")
    runs = earlier_runs("ilps", "bundled:masked-demo")
    assert earlier_spread(runs, "ilps_difference", {"attribute": True}, "") is None
    assert earlier_spread(runs, "ilps_difference", {"attribute": False}, "")


def test_other_models_methods_variants_and_intervals_without_width_give_none() -> None:
    finished(plan(), 0.0)
    finished(plan(model="bundled:smollm2-135m", prior={"mean": True}), 1.0)
    runs = earlier_runs("ilps", "bundled:masked-demo")
    assert earlier_spread(runs, "ilps_difference", {"attribute": True}, "") is None
    other = earlier_runs("ilps", "bundled:smollm2-135m")
    assert earlier_spread(other, "ilps_difference", {"attribute": True}, "bfloat16") is None
    assert earlier_runs("set", "bundled:masked-demo") == []


def test_where_one_clear_difference_is_not_enough_the_plan_finds_one_only_among_many() -> None:
    told = sentences(plan(kinds=8, words=16))
    assert told[0].endswith(
        "on one word in 8 of 10 cases only if at least 4 of 16 differences are as large (default spread)."
    )
    assert not any("5% of the tests" in one for one in told)
    enough = sentences(plan(kinds=8, words=3))
    assert enough[0].endswith("(default spread). It finds a smaller one less often.")
    assert any("5% of the tests" in one for one in enough)


def test_a_plan_with_too_few_kinds_warns_once() -> None:
    found = sensitivity(plan(kinds=5, words=9))
    assert found.nothing_possible
    assert [(one.sentence, one.warns) for one in found.statements] == [
        (
            "This plan has 5 kinds of sentence. Below 7 kinds of sentence no statement about sentences in general can"
            " be tested.",
            True,
        )
    ]


def test_few_kinds_in_a_large_family_show_how_many_words_must_be_clear_together() -> None:
    told = {one.sentence: one.warns for one in sensitivity(plan(kinds=7, words=16)).statements}
    clear = (
        "The clearest possible result is that all 7 kinds of sentence lean the same way. One difference alone cannot be"
        " significant by it: at least 5 of 16 differences must be as clear. With more kinds of sentence, fewer are"
        " enough."
    )
    assert told[clear] is True


def test_what_no_number_of_words_can_show_is_reported_as_impossible() -> None:
    names = [{"name": f"n{group}{one}", "group": group} for group in "ab" for one in range(4)]
    context = {"id": "c", "context": "{name} waits.", "question": "Why?", "prompt": "{name} is", "answer": "late"}
    spec = parse(
        {
            "name": "s",
            "probe": "sodapop",
            "model": "bundled:mcq-demo",
            "generator": "bundled:masked-demo",
            "names": {"inline": names},
            "contexts": {"inline": [context]},
            "alpha": 0.01,
        }
    )
    assert sentences(spec) == [
        "With 4 and 4 names, no comparison can become significant: the smallest possible p-value is 0.029.",
        "A single one of 100 words can become significant if both groups have at least 9 names. With fewer than 5"
        " names in both groups, no number of words can.",
        "This pair of groups has too few names for a single word: a (4) with b (4).",
    ]
    more = sentences(parse({**spec.dump(), "alpha": 0.05}))
    assert more[:1] == [
        "The clearest possible result is that every name of one group is above all names of the other. One comparison"
        " alone cannot be significant by it: at least 57% of the comparisons must be as clear. With more names, fewer"
        " are enough."
    ]


def test_a_method_without_planned_tests_has_no_sensitivity() -> None:
    spec = {
        "name": "d",
        "probe": "ceat",
        "model": "bundled:masked-demo",
        "corpus": "path:./texts",
        "targets": {"x": {"inline": ["rose"]}, "y": {"inline": ["wasp"]}},
        "attributes": {"a": {"inline": ["kind"]}, "b": {"inline": ["cold"]}},
    }
    assert sensitivity(parse(spec)).statements == ()


def test_it_reads_no_more_with_more_measures(django_assert_max_num_queries: Any) -> None:
    finished(plan(), *[1.0] * 300)
    with django_assert_max_num_queries(4):
        sensitivity(plan())
