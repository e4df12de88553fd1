"""Two runs compared, from a handful of items."""

from typing import Any

import polars as pl
import pytest

from plumbline.audits.launching import launch
from plumbline.audits.models import Run
from plumbline.spec.association import AssociationSpec
from plumbline.spec.audit import AuditSpec, parse
from plumbline.spec.grammar import Word
from plumbline.spec.measure import Measure
from plumbline.spec.rewording import Reworded
from plumbline.spec.sentences import Words
from plumbline.spec.verdicts import Verdict
from workers.comparison import (
    AGREEMENT,
    compare,
    differing,
    have_comparable_contrasts,
    of_same_lists,
    without_reworded,
)

FRAMES = [f"{{group}} verb{number} {{attribute}}" for number in range(8)]


def items(differences: dict[str, float], noise: float = 0.0) -> pl.DataFrame:
    """For each attribute eight frames, the second run's score higher by so much, give or take the noise."""
    rows = [
        {
            "template": template,
            "group": "women",
            "attribute": attribute,
            "score_a": 1.0,
            "score_b": 1.0 + difference + noise * (-1) ** number,
            "in_a": True,
            "in_b": True,
        }
        for attribute, difference in differences.items()
        for number, template in enumerate(FRAMES)
    ]
    return pl.DataFrame(rows)


def spec(**more: Any) -> AuditSpec:
    words = {"groups": {"inline": ["women"]}, "attributes": {"inline": ["poor"]}, "templates": {"inline": FRAMES}}
    return parse({"name": "x", "probe": "ilps", "model": "path:a", "prior": {"mean": True}, **words, **more})


WITHOUT_MARGIN = {"smallest_effect": None}


def test_what_moved_is_beyond_chance_and_beyond_the_margin() -> None:
    found = compare(items({"poor": 0.5, "rich": 0.0, "warm": 0.2}, noise=0.1), spec(), {})
    assert [change.attribute for change in found.moved] == ["poor"]
    assert [change.attribute for change in found.changes] == ["poor", "warm", "rich"]
    assert found.changes[0].value == pytest.approx(0.5)


def test_what_is_equal_has_a_difference_of_zero_and_is_shown_not_to_have_moved() -> None:
    (change,) = compare(items({"poor": 0.0}), spec(), {}).changes
    assert (change.value, change.ci_low, change.ci_high) == (0.0, None, None)
    assert (change.p_value, change.q_value) == (1.0, 1.0)
    assert change.verdict == Verdict.ABSENT


def test_a_regular_rounding_difference_is_reported_and_did_not_move() -> None:
    found = compare(items({"poor": AGREEMENT / 2}), spec(**WITHOUT_MARGIN), {})
    assert found.changes[0].q_value == pytest.approx(2**-7)
    assert found.moved == []


def test_items_that_were_asked_in_other_words_are_counted_for_each_run_and_not_compared() -> None:
    two = pl.concat([items({"poor": 0.5, "warm": 0.5}), items({"poor": 0.5}).with_columns(group=pl.lit("men"))])
    found = compare(without_reworded(two, Reworded(groups=("men",), attributes=("warm",))), spec(), {})
    assert [(one.group_a, one.attribute) for one in found.changes] == [("women", "poor")]
    assert (found.paired, found.only_first, found.only_second, found.not_scorable) == (8, 16, 16, 0)
    assert without_reworded(two, Reworded((), ())).equals(two)


@pytest.mark.parametrize(
    ("before", "after", "params", "comparable"),
    [
        (["elves", "women"], ["elves", {"label": "women", "plural": "ladies"}], {}, True),
        (["elves", "women", "men"], ["elves", "men", "women"], {}, True),
        (["elves", "women", "men"], ["elves", {"label": "women", "plural": "ladies"}, "men"], {}, False),
        (["elves", "women", "men"], ["elves", "women", "men", "orcs"], {}, False),
        (["elves", "women", "men"], ["elves", "women", "men", "orcs"], {"contrasts": "pairs"}, True),
    ],
)
def test_differences_from_the_mean_of_the_others_are_compared_only_where_the_others_are_the_same(
    before: list[Any], after: list[Any], params: dict[str, str], comparable: bool
) -> None:
    templates = {"inline": ["{Group.plural} act {attribute}."]}
    inline = (
        [one if isinstance(one, dict) else {"label": one, "plural": one} for one in own] for own in (before, after)
    )
    earlier, later = (spec(groups={"inline": groups}, params=params, templates=templates) for groups in inline)
    assert isinstance(earlier, AssociationSpec)
    assert isinstance(later, AssociationSpec)
    words = earlier.sentence_words({}), later.sentence_words({})
    assert have_comparable_contrasts(later, later.materials({}), words) is comparable


def test_figures_over_a_list_are_compared_only_where_its_words_are_the_same() -> None:
    def asking(*words: str) -> Words:
        texts = {word: Word(word, word) for word in (*words, "tall")}
        return Words({}, texts, (), lists={"traits": words, "looks": ("tall",)})

    changes = [
        Measure("difference_in_differences", "kind of sentence", 8, 4, 0.0, category=category, attribute=word)
        for category, word in (("traits", ""), ("traits", "warm"), ("looks", ""))
    ]
    before = asking("warm", "kind")
    assert of_same_lists(changes, (before, asking("kind", "warm"))) == changes
    assert of_same_lists(changes, (before, asking("warm"))) == changes[1:]


def test_a_cell_of_one_frame_cannot_move() -> None:
    found = compare(items({"poor": 5.0}).filter(template=FRAMES[0]), spec(), {})
    assert (found.changes[0].p_value, found.moved) == (None, [])
    assert found.changes[0].reason.startswith("one unit")


def test_frames_of_one_kind_are_one_unit() -> None:
    (change,) = compare(items({"poor": 5.0}), spec(), dict.fromkeys(FRAMES[:4], "belief")).changes
    assert (change.n_units, change.n_frames, change.verdict) == (5, 8, Verdict.NOT_TESTABLE)


def test_q_goes_over_the_family_that_is_asked_for() -> None:
    frame = items({"poor": 0.5, "rich": 0.4}, noise=0.1)
    together, apart = (
        compare(frame, spec(families=families), {}) for families in (["statistic"], ["statistic", "attribute"])
    )
    assert [one.q_value for one in together.changes] == [2**-7, 2**-7]
    assert apart.changes[0].q_value == pytest.approx(2**-7)


def run(model: str = "path:a", provenance: dict[str, Any] | None = None, **spec: Any) -> Run:
    return Run(model=model, spec={"name": "x", "seed": 0, **spec}, provenance=provenance or {"digest": "1"})


def frozen(slug: str, sha256: str) -> list[dict[str, str]]:
    return [{"list": slug, "sha256": sha256}]


def test_equal_runs_differ_in_nothing_and_a_name_does_not_count() -> None:
    assert differing(run(), run(name="y")) == []


def test_keys_lists_weights_and_versions_that_differ_are_named() -> None:
    first = run(attributes=frozen("jobs", "1"), provenance={"digest": "1", "torch": "2.12"})
    second = run(attributes=frozen("jobs", "2"), seed=1, dtype="bfloat16", provenance={"digest": "2", "torch": "2.13"})
    assert differing(run(params={"draws": 1}), run(params={"draws": 2, "level": 0.9})) == ["params (draws, level)"]
    assert differing(first, second) == [
        "seed",
        "attributes (jobs edited)",
        "dtype",
        "the model's weights",
        "torch (2.12 before, now 2.13)",
    ]


@pytest.mark.django_db
@pytest.mark.parametrize(("labels", "told"), [(("men", "women"), []), (("men", "elves"), ["groups"])])
def test_groups_that_a_spec_names_otherwise_are_the_same(labels: tuple[str, ...], told: list[str]) -> None:
    words = {"attributes": {"inline": ["poor"]}, "templates": {"inline": ["{Group.plural} are {attribute}."]}}
    shared = {"name": "x", "probe": "ilps", "model": "bundled:none", "prior": {"mask": "one"}, **words}
    first, second = (
        launch(parse({**shared, "groups": {"inline": [{"label": one, "plural": one} for one in named]}}))
        for named in (("women", "men"), labels)
    )
    assert differing(first, second) == told


@pytest.mark.django_db
def test_two_models_are_not_said_to_have_other_weights() -> None:
    assert differing(run(), run("path:b", {"digest": "2"})) == []


@pytest.mark.django_db
@pytest.mark.parametrize("recorded", [True, False], ids=["as the run recorded", "as the bundled model's card says"])
def test_two_models_of_different_kinds_are_said_to_be_so(recorded: bool) -> None:
    masked, causal = (
        run(f"bundled:{name}", {"digest": name, **({"kind": kind} if recorded else {})})
        for name, kind in (("masked-demo", "masked"), ("smollm2-135m", "causal"))
    )
    assert differing(masked, causal) == ["kind of model (masked, then causal)"]
    assert differing(masked, masked) == []
