from typing import Any

import pytest

from plumbline.spec.audit import parse
from plumbline.spec.power.default_spreads import default_components
from plumbline.spec.power.tests import PlannedTest

GROUPS = ["women", "men"]
FRAMES = [
    f"{{group.plural}} {verb} {{attribute}}." for verb in ("are", "seem", "become", "stay", "feel", "look", "act")
]


def planned(**changes: Any) -> dict[str, PlannedTest]:
    """The planned tests by what they detect."""
    groups = [{"label": name, "plural": name} for name in changes.pop("labels", GROUPS)]
    spec = {
        "name": "traits",
        "probe": "ilps",
        "model": "bundled:masked-demo",
        "groups": {"inline": groups},
        "prior": {"mask": "one"},
        "attributes": {"inline": ["kind", "cold", "brave"]},
        "templates": {"inline": FRAMES},
    }
    return {one.effect.partition("{}")[0]: one for one in parse({**spec, **changes}).planned_tests({})}


def test_a_difference_on_a_word_is_over_kinds_of_sentence_in_one_family_with_all_others() -> None:
    one = planned()["a difference of "]
    assert (one.n_units, one.members, one.least_p) == (7, 3, 1 / 64)
    assert one.needed == 1
    assert one.spread == pytest.approx(default_components("bundled:masked-demo").of_one_word(1))


def test_two_groups_make_one_contrast_more_groups_one_each_or_one_a_pair() -> None:
    four = ["women", "men", "girls", "boys"]
    assert planned(labels=four)["a difference of "].members == 4 * 3
    assert planned(labels=four, params={"contrasts": "pairs"})["a difference of "].members == 6 * 3
    assert planned(labels=four, families=["statistic", "group_a"])["a difference of "].members == 3
    assert planned(labels=["women"]) == {}


def test_a_list_has_as_many_units_as_the_smaller_of_its_ways() -> None:
    words = [f"word{letter}" for letter in "abcdefgh"]
    one = planned(attributes={"inline": words})["a mean difference of "]
    assert (one.n_units, one.unit, one.given) == (7, "kind of sentence", "8 word families and 7 kinds of sentence")
    one = planned()["a mean difference of "]
    assert (one.n_units, one.unit, one.is_possible) == (3, "word family", False)


def test_frames_of_a_kind_scatter_less_than_frames_that_are_kinds() -> None:
    parts = default_components("path:./any")
    assert parts == default_components("bundled:smollm2-135m")
    assert parts.of_one_word(16) < parts.of_one_word(1)
    assert parts.of_list_mean(32, 26, 1) < parts.of_list_mean(7, 26, 1)


def test_with_fewer_than_seven_kinds_nothing_is_possible() -> None:
    assert not any(one.is_possible for one in planned(templates={"inline": FRAMES[:6]}).values())


def test_a_larger_spread_needs_a_larger_effect_and_the_margin_bounds_it() -> None:
    one = planned()["a difference of "]
    assert 0.22 < one.detectable(0.05) < one.detectable(0.5) < one.detectable(2.0)


def test_bias_scores_have_shares_and_what_compare_names() -> None:
    lists = {
        "a": {"entries": [{"text": f"a{n}"} for n in range(8)]},
        "b": {"entries": [{"text": f"b{n}"} for n in range(8)]},
    }
    spec = parse(
        {
            "name": "bias",
            "probe": "log_probability",
            "model": "bundled:masked-demo",
            "groups": {"inline": ["he", "she"]},
            "attributes": [{"list": name, "sha256": name} for name in lists],
            "templates": {"inline": [one.replace(".plural", "") for one in FRAMES]},
            "params": {"compare": ["a", "b"]},
        }
    )
    effect, *_, share = spec.planned_tests(lists)
    assert (effect.statistic, effect.n_units, effect.least_p) == ("effect_size", 16, 2 / 12870)
    assert (share.statistic, share.members, share.largest) == ("attribute_preference", 2, 0.5)
