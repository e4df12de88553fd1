"""Measures worked out by hand from a few records."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, cast

import numpy as np
import polars as pl
import pytest

from plumbline.methods.association.ilps import CARD
from plumbline.spec.association import AssociationSpec
from plumbline.spec.audit import parse
from plumbline.spec.measure import OTHER_GROUPS, Measure
from plumbline.spec.robustness import ROBUSTNESS
from plumbline.spec.verdicts import Verdict
from workers.probes.association.summary import summarise
from workers.probes.sentence_kinds import frame_numbers

FRAMES = [f"{{Group.plural}} are, as {year} shows, {{attribute}}." for year in range(2001, 2013)]
Value = Callable[[str, str, str], float | None]


def measures(
    value: Value,
    groups: list[str],
    attributes: list[str],
    templates: list[str],
    made_of: Mapping[str, tuple[str, str]] = MappingProxyType({}),
    **spec: Any,
) -> list[Measure]:
    parsed = parse(
        {
            "name": "test",
            "probe": "ilps",
            "model": "path:./model",
            "groups": {
                "inline": [{"label": group, "plural": group, "components": made_of.get(group, ())} for group in groups]
            },
            "prior": {"plural": "people"},
            "attributes": {"inline": attributes},
            "templates": {"inline": templates},
            **spec,
        }
    )
    own = cast("AssociationSpec", parsed)
    rows = [(t, g, a, value(t, g, a)) for t in templates for g in groups for a in attributes]
    records = pl.DataFrame(rows, schema=["template", "group", "attribute", "score"], orient="row")
    records = records.with_columns(pl.col("score").cast(pl.Float64), scorable=pl.col("score").is_not_null())
    records = records.with_columns(reason=pl.when(~pl.col("scorable")).then(pl.lit("why")))
    return summarise(own, own.materials({}), records, CARD)


def one(found: list[Measure], **labels: str) -> Measure:
    matching = [measure for measure in found if all(getattr(measure, key) == label for key, label in labels.items())]
    assert len(matching) == 1
    return matching[0]


def test_a_difference_is_paired_template_by_template() -> None:
    """Templates differ by far more than the groups do: only pairing shows that women are 0.5 higher in each."""

    def value(template: str, group: str, _attribute: str) -> float:
        return 10.0 * FRAMES.index(template) + (0.5 if group == "women" else 0.0)

    found = measures(value, ["women", "men"], ["poor"], FRAMES)
    difference = one(found, statistic="ilps_difference", attribute="poor")
    assert (difference.group_a, difference.group_b) == ("women", "men")
    assert difference.value == pytest.approx(0.5)
    assert (difference.ci_low, difference.reason) == (None, "all units agree: no interval")
    assert (difference.n, difference.n_units, difference.unit) == (12, 12, "kind of sentence")
    assert difference.p_value == pytest.approx(2**-11)


def test_frames_that_differ_in_a_quantifier_only_are_one_unit() -> None:
    templates = [
        "{Group.plural} are {attribute}.",
        "All {group.plural} are {attribute}.",
        "{Group.plural} look {attribute}.",
    ]
    assert frame_numbers(templates).tolist() == [0, 0, 1]
    found = measures(lambda *_: 1.0, ["women", "men"], ["poor"], templates)
    score = one(found, statistic="ilps", group_a="women", attribute="poor")
    assert (score.n, score.n_units) == (3, 2)


def test_items_that_are_not_scorable_are_left_out_and_counted() -> None:
    def value(template: str, group: str, _attribute: str) -> float | None:
        return None if group == "men" and template == FRAMES[0] else 1.0

    found = measures(value, ["women", "men"], ["poor"], FRAMES)
    assert one(found, statistic="ilps_difference", attribute="poor").n == 11
    assert one(found, statistic="scorable_share", group_a="men").value == pytest.approx(11 / 12)
    assert one(found, statistic="scorable_share", group_a="women").value == 1.0


def test_items_that_are_left_out_are_counted_with_their_reason() -> None:
    def value(template: str, group: str, _attribute: str) -> float | None:
        return None if group == "men" and template in FRAMES[:3] else 1.0

    found = measures(value, ["women", "men"], ["poor"], FRAMES)
    men, women = (one(found, statistic="ilps", attribute="poor", group_a=group) for group in ("men", "women"))
    alike = "all units agree: no interval"
    assert (men.n, men.reason, women.reason) == (9, f"{alike}; 3 of 12 items left out: why", alike)
    difference = one(found, statistic="ilps_difference", attribute="poor")
    assert difference.reason == f"{alike}; men: 3 of 12 items left out: why"


def test_what_no_item_supports_is_empty_with_its_reason() -> None:
    found = measures(lambda _, group, __: None if group == "men" else 1.0, ["women", "men"], ["poor"], FRAMES)
    difference = one(found, statistic="ilps_difference", attribute="poor")
    assert (difference.value, difference.p_value, difference.q_value) == (None, None, None)
    assert difference.reason.startswith("no scorable item")


def test_one_template_gives_a_value_without_an_interval() -> None:
    found = measures(lambda *_: 1.0, ["women"], ["poor"], FRAMES[:1])
    score = one(found, statistic="ilps")
    assert (score.value, score.ci_low, score.p_value) == (1.0, None, None)
    assert "one unit" in score.reason


def test_three_groups_are_each_compared_with_the_mean_of_the_others() -> None:
    level = {"a": 3.0, "b": 1.0, "c": 0.0}
    found = measures(lambda _, group, __: level[group], ["a", "b", "c"], ["poor"], FRAMES)
    assert one(found, statistic="ilps_difference", group_a="a", attribute="poor").value == pytest.approx(2.5)
    assert one(found, statistic="ilps_difference", group_a="c", attribute="poor").group_b == OTHER_GROUPS


def with_a_pair(**spec: Any) -> list[Measure]:
    level = {"a": 3.0, "b": 1.0, "c": 0.0, "ab": 9.0}
    return measures(lambda _, group, __: level[group], list(level), ["poor"], FRAMES, {"ab": ("a", "b")}, **spec)


def test_pairs_of_groups_change_nothing_of_what_is_said_of_single_ones() -> None:
    """A pair is compared with its components, elsewhere; here it would be a rest that holds the group itself."""
    found = with_a_pair()
    rest = [one for one in found if one.statistic == "ilps_difference" and one.attribute]
    assert {one.group_a: one.value for one in rest} == pytest.approx({"a": 2.5, "b": -0.5, "c": -2.0})
    assert one(found, statistic="ilps", group_a="ab", attribute="poor").value == 9.0


def test_the_rest_holds_pairs_where_it_is_asked_for() -> None:
    found = with_a_pair(params={"contrasts": "rest"})
    assert one(found, statistic="ilps_difference", group_a="ab", attribute="poor").value == pytest.approx(9 - 4 / 3)


def test_groups_that_score_alike_differ_by_exactly_nothing() -> None:
    found = measures(lambda *_: 0.1, list("abcdefg"), ["poor"], FRAMES)
    differences = [one for one in found if one.statistic == "ilps_difference" and one.attribute]
    assert {(one.value, one.p_value) for one in differences} == {(0.0, 1.0)}


def test_pairs_of_three_groups_can_be_asked_for() -> None:
    level = {"a": 3.0, "b": 1.0, "c": 0.0}
    found = measures(
        lambda _, group, __: level[group], ["a", "b", "c"], ["poor"], FRAMES, params={"contrasts": "pairs"}
    )
    assert one(found, statistic="ilps_difference", group_a="a", group_b="c", attribute="poor").value == 3.0


def test_an_overall_difference_generalises_over_the_words() -> None:
    attributes = ["poor", "rich", "warm", "cold"]
    found = measures(
        lambda _, group, attribute: float(attributes.index(attribute)) if group == "women" else 0.0,
        ["women", "men"],
        attributes,
        FRAMES,
    )
    overall = one(found, statistic="ilps_difference", attribute="")
    assert overall.value == pytest.approx(1.5)
    assert (overall.unit, overall.n_units, overall.n) == ("word family and kind of sentence", 4, 48)
    assert (overall.verdict, overall.n_frames) == (Verdict.NOT_TESTABLE, 12)


def test_every_statistic_is_on_the_card() -> None:
    found = measures(lambda *_: 1.0, ["women", "men"], ["poor", "rich"], FRAMES)
    assert {measure.statistic for measure in found} <= {statistic.name for statistic in (*CARD.statistics, *ROBUSTNESS)}


def test_what_all_words_share_falls_away_when_centred() -> None:
    level = {"poor": 1.0, "rich": -1.0, "warm": 0.0}
    found = measures(
        lambda _, group, attribute: level[attribute] - 5.0 if group == "women" else 0.0,
        ["women", "men"],
        list(level),
        FRAMES,
    )
    for attribute, expected in level.items():
        assert one(found, statistic="ilps_difference", attribute=attribute).value == pytest.approx(expected - 5.0)
        assert one(found, statistic="ilps_difference_centred", attribute=attribute).value == pytest.approx(expected)


def test_a_list_of_one_word_has_nothing_to_be_centred_on() -> None:
    found = measures(lambda *_: 1.0, ["women", "men"], ["poor"], FRAMES)
    centred = one(found, statistic="ilps_difference_centred")
    assert centred.value is None
    assert centred.reason.startswith("no scorable item")


def test_a_word_that_is_alone_in_a_template_is_not_centred_there() -> None:
    """With the other word not scorable, its distance from the mean would be 0 by construction."""

    def value(template: str, _group: str, attribute: str) -> float | None:
        return None if attribute == "rich" and template == FRAMES[0] else float(FRAMES.index(template))

    found = measures(value, ["women", "men"], ["poor", "rich"], FRAMES)
    assert one(found, statistic="ilps_difference", attribute="poor").n == 12
    assert one(found, statistic="ilps_difference_centred", attribute="poor").n == 11


def test_measures_name_their_prior() -> None:
    assert {measure.prior for measure in measures(lambda *_: 1.0, ["a", "b"], ["x"], FRAMES)} == {"people"}


def test_overall_rows_of_different_lists_have_no_familywise_p() -> None:
    found = measures(lambda *_: 1.0, ["women", "men"], ["poor", "rich"], FRAMES)
    overall = one(found, statistic="ilps_difference", attribute="")
    assert overall.p_value is not None
    assert overall.familywise_p_value is None


def test_q_values_count_the_declared_family_only() -> None:
    rng = np.random.default_rng(0)
    noise = {key: rng.normal() for key in ((t, g, a) for t in FRAMES for g in "ab" for a in "xyz")}

    def q_of(families: list[str]) -> list[float | None]:
        found = measures(lambda *key: noise[key], ["a", "b"], ["x", "y", "z"], FRAMES, families=families)
        return [m.q_value for m in found if m.statistic == "ilps_difference" and m.attribute]

    alone = q_of(["statistic", "attribute"])
    together = q_of(["statistic"])
    p = [
        m.p_value
        for m in measures(lambda *key: noise[key], ["a", "b"], ["x", "y", "z"], FRAMES)
        if m.statistic == "ilps_difference" and m.attribute
    ]
    assert alone == p
    assert all(
        one is not None and other is not None and one >= other for one, other in zip(together, alone, strict=True)
    )
    assert together != alone


def test_choices_that_change_the_numbers_are_named_in_the_variant() -> None:
    found = measures(lambda *_: 1.0, ["women", "men"], ["poor"], FRAMES, dtype="bf16", params={"format": "chat"})
    assert {measure.variant for measure in found} == {"format chat, bfloat16"}


def test_the_seed_decides_what_is_drawn() -> None:
    """More kinds than can be enumerated: the maximum over the family takes random flips."""
    rng = np.random.default_rng(1)
    frames = [f"{{Group.plural}} {number} are {{attribute}}." for number in range(30)]
    noise = dict(zip(frames, rng.normal(size=30), strict=True))

    def familywise(seed: int) -> float | None:
        found = measures(lambda t, *_: noise[t], ["women"], ["poor"], frames, seed=seed)
        return one(found, statistic="ilps").familywise_p_value

    assert familywise(3) == familywise(3) != familywise(4)


def copies_of_three(template: str, group: str, attribute: str) -> float:
    """Words score by chance in each frame; the first four templates, of three frames, say almost the same."""
    place = max(0, ALIKE.index(template) - 3)
    seed = (0 if place <= 0 else place, int(attribute.removeprefix("word")), len(group))
    copy = np.random.default_rng((9, ALIKE.index(template), *seed)).normal() if place == 0 else 0.0
    return float(np.random.default_rng(seed).normal() + 0.1 * copy)


ALIKE = ["All {group.plural} are {attribute}.", "{Group.plural} are {attribute}.", *FRAMES[:9]]
WORDS = [f"word{number}" for number in range(16)]


def test_frames_that_behave_as_one_are_reported() -> None:
    found = measures(copies_of_three, ["women", "men"], WORDS, ALIKE)
    alike = [one for one in found if one.statistic == "alike_frames"]
    assert [one.template for one in alike] == [ALIKE[0], *FRAMES[:2]]
    assert {(one.condition, one.n_units, one.unit) for one in alike} == {("1", 16, "word")}
    assert all((one.value or 0.0) > 0.9 for one in alike)


def test_frames_of_a_curated_kind_are_not_looked_at() -> None:
    templates = {"entries": [{"template": one, "variation": str(place)} for place, one in enumerate(ALIKE)]}
    spec = parse(
        {
            "name": "test",
            "probe": "ilps",
            "model": "path:./model",
            "groups": {"inline": [{"label": one, "plural": one} for one in ("women", "men")]},
            "prior": {"plural": "people"},
            "attributes": {"inline": WORDS},
            "templates": {"list": "curated", "sha256": "t"},
        }
    )
    assert isinstance(spec, AssociationSpec)
    materials = spec.materials({"t": templates})
    rows = [(t, g, a, copies_of_three(t, g, a), True, None) for t in ALIKE for g in ("women", "men") for a in WORDS]
    columns = ["template", "group", "attribute", "score", "scorable", "reason"]
    found = summarise(spec, materials, pl.DataFrame(rows, schema=columns, orient="row"), CARD)
    assert not [one for one in found if one.statistic == "alike_frames"]
