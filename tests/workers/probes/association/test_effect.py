"""Log probability bias scores over two attribute sets: Kurita et al. 2019, section 3.2, worked by hand."""

from typing import Any

import numpy as np
import pytest

from plumbline.spec.association import AssociationSpec
from plumbline.spec.audit import parse
from plumbline.spec.errors import SpecError
from workers.probes.association.effect import effects, mean_bias

GROUPS = [
    {"label": "he / boys", "singular": "he", "plural": "boys"},
    {"label": "he / men", "singular": "he", "plural": "men"},
    {"label": "she / girls", "singular": "she", "plural": "girls"},
]
TEMPLATES = ["{group.singular} likes {attribute}", "{group.plural} like {attribute}"]
SIDES = [["he / boys", "he / men"], ["she / girls"]]
LISTS = {"work": ["pay", "boss"], "home": ["kin", "den"]}


def spec_of(**params: Any) -> tuple[AssociationSpec, dict[str, Any]]:
    snapshots = {name: {"entries": [{"text": word} for word in words]} for name, words in LISTS.items()}
    found = parse(
        {
            "name": "test",
            "probe": "log_probability",
            "model": "path:./model",
            "groups": {"inline": GROUPS},
            "attributes": [{"list": name, "sha256": name} for name in LISTS],
            "templates": {"inline": TEMPLATES},
            "params": {"compare": list(LISTS), "sides": SIDES, **params},
        }
    )
    found.check(snapshots)
    assert isinstance(found, AssociationSpec)
    return found, snapshots


def scores() -> np.ndarray[tuple[int, int, int], np.dtype[np.float64]]:
    """[templates, groups, attributes]: the first side 6, 3 and 0 in its sentences with the first attribute."""
    found = np.zeros((2, 3, 4))
    found[0, :2] = 6  # he likes: one sentence, though two targets read so
    found[1, 0] = 3  # boys like
    found[:, 2, 2:] = 9  # she and girls with the second list
    return found


def test_a_target_that_reads_the_same_counts_once() -> None:
    spec, snapshots = spec_of()
    bias = mean_bias(spec.materials(snapshots), scores(), SIDES[0], SIDES[1])
    assert bias == pytest.approx([3, 3, -6, -6])  # (6 + 3 + 0) / 3; the others' mean is 9


def test_the_effect_size_by_hand() -> None:
    spec, snapshots = spec_of()
    primary, strict = effects(spec, spec.materials(snapshots), scores())
    assert primary.value == pytest.approx(9 / np.std([3, 3, -6, -6], ddof=1))
    assert primary.p_value == pytest.approx(2 / 6)
    assert (primary.n, primary.n_units, primary.variant) == (20, 4, "")
    assert (primary.group_a, primary.group_b, primary.category) == (
        "he / boys + he / men",
        "she / girls",
        "work - home",
    )
    assert (strict.variant, strict.p_value) == ("one-sided", None)


def test_attributes_that_cannot_be_scored_are_left_out_and_counted() -> None:
    spec, snapshots = spec_of()
    some = scores()
    some[0, 0, 1] = np.nan
    primary, _ = effects(spec, spec.materials(snapshots), some)
    assert primary.n_units == 3
    assert "1 attributes that cannot be scored are left out" in primary.reason


def test_too_few_attributes_have_a_reason() -> None:
    spec, snapshots = spec_of()
    some = scores()
    some[:, :, :2] = np.nan
    (only,) = effects(spec, spec.materials(snapshots), some)
    assert (only.value, bool(only.reason)) == (None, True)


def test_who_compares_nothing_gets_nothing() -> None:
    spec, snapshots = spec_of(compare=None, sides=None)
    assert effects(spec, spec.materials(snapshots), scores()) == []


@pytest.mark.parametrize(
    ("params", "told"),
    [
        ({"sides": None}, "needs two targets, or params.sides"),
        ({"sides": [["he / boys"], ["they"]]}, "names 'they'"),
        ({"sides": [["he / boys"], ["he / boys"]]}, "no target on both"),
        ({"compare": ["work", "play"]}, "names 'play'"),
        ({"compare": ["work", "work"]}, "one list twice"),
        ({"compare": None}, "params.sides needs params.compare"),
    ],
)
def test_what_cannot_be_compared_is_reported(params: dict[str, Any], told: str) -> None:
    with pytest.raises(SpecError, match=told):
        spec_of(**params)
