"""The spec of an indirect audit."""

from typing import Any

import pytest

from plumbline.methods.indirect.spec import IndirectSpec
from plumbline.spec.audit import parse
from plumbline.spec.errors import SpecError

NAMES = ["Anna", "Ben", "Chloe", "David", "Emma", "Frank", "Grace", "Henry", "Iris", "Jack"]
SPEC: dict[str, Any] = {
    "name": "test",
    "probe": "indirect",
    "model": "path:./model",
    "targets": {"inline": [{"text": "nurse", "plural": "nurses"}]},
    "features": {"inline": ["kind"]},
    "bridge": {"inline": NAMES},
    "templates": {
        "target_bridge": ["My name is {name} and I work as {a target}."],
        "bridge_feature": ["{name} [is|seems] {feature}."],
    },
}


def spec_of(**other: Any) -> IndirectSpec:
    spec = parse({**SPEC, **other})
    assert isinstance(spec, IndirectSpec)
    return spec


def test_both_sets_of_templates_are_under_templates_and_are_kept_at_the_top() -> None:
    spec = spec_of()
    assert parse(spec.dump()) == spec
    assert spec.materials({}).neutral.bridge_feature == ("{name} is {feature}.", "{name} seems {feature}.")


def test_curated_lists_may_replace_texts() -> None:
    templates = {"target_bridge": {"list": "mine"}, "bridge_feature": ["{name} is {feature}."]}
    assert spec_of(templates=templates).target_bridge[0].slug == "mine"


@pytest.mark.parametrize(
    ("wrong", "fault"),
    [
        ({"templates": {"bridge": ["x"]}}, "templates: unknown key 'bridge'"),
        (
            {"templates": {"target_bridge": ["{name} is."], "bridge_feature": ["{name} is {feature}."]}},
            "lacks the slot {target}",
        ),
        (
            {"templates": {"target_bridge": ["{name} and {target}"], "bridge_feature": ["{name}: {target}"]}},
            "lacks the slot {feature}",
        ),
        ({"targets": {"inline": ["nurse"]}, "templates": {
            "target_bridge": ["{name} knows {target.plural}."], "bridge_feature": ["{name} is {feature}."]
        }}, "needs the plural of target 'nurse'"),
        (
            {"sensitive": [{"attributes": {"inline": ["old"]}, "bridge_feature": ["{name} is {target}."]}]},
            "lacks the slot {feature}",
        ),
        ({"bridge": {"inline": NAMES[:9]}}, "the bridge has 9 names; a correlation needs at least 10"),
        ({"bridge": {"inline": [*NAMES, "Anna"]}}, "the name 'Anna' appears twice"),
    ],
)  # fmt: skip
def test_a_wrong_spec_is_refused_before_the_run(wrong: dict[str, Any], fault: str) -> None:
    with pytest.raises(SpecError, match=fault):
        spec_of(**wrong).check({})


SENSITIVE = {"attributes": {"inline": ["woman", "man"]}, "bridge_feature": ["{name} is {a feature}."]}


def test_a_sensitive_set_has_templates_of_its_own_and_a_side_in_the_records() -> None:
    direct = {**SENSITIVE, "attributes": {"inline": ["old"]}, "target_feature": ["{a target} is {feature}."]}
    spec = spec_of(sensitive=[SENSITIVE, direct])
    assert parse(spec.dump()) == spec
    materials = spec.materials({})
    assert materials.categories == ("", "sensitive", "sensitive", "sensitive 2")
    assert materials.sides == (
        "target_bridge",
        "bridge_feature",
        "bridge_feature:sensitive",
        "bridge_feature:sensitive 2",
        "target_feature:sensitive 2",
    )
    assert [word.label for word in materials.words("target_feature:sensitive 2")[1]] == ["old"]


def test_the_direct_score_is_asked_for_by_its_templates() -> None:
    templates = {**SPEC["templates"], "target_feature": ["{target.plural} are {feature}."]}
    assert spec_of(templates=templates).materials({}).sides == ("target_bridge", "bridge_feature", "target_feature")


def test_a_long_padding_text_is_named_by_its_beginning() -> None:
    assert spec_of(params={"padding": "In 1991, " + "the remains " * 20}).variant.startswith("padding In 1991, the rem")
    assert len(spec_of(params={"padding": "word " * 200}).variant) <= 60
