"""One spec for a parent and its variants."""

from typing import Any

import pytest

from plumbline.spec.errors import SpecError
from plumbline.spec.several_models import for_model, for_models, model_names, parse_each

SPEC: dict[str, Any] = {
    "name": "traits",
    "probe": "ilps",
    "groups": {"inline": [{"label": "women", "plural": "women"}]},
    "prior": {"mask": "one"},
    "attributes": {"inline": ["kind"]},
    "templates": {"inline": ["{Group.plural} are {attribute}."]},
}
PARENT, VARIANT = "bundled:masked-demo", "variant:leace"


@pytest.mark.parametrize(
    "named",
    [{"model": PARENT, "models": [VARIANT]}, {"models": [PARENT, VARIANT]}, {"models": [PARENT, VARIANT, PARENT]}],
)
def test_each_model_has_its_own_spec_and_the_first_is_the_parent(named: dict[str, Any]) -> None:
    specs = parse_each(SPEC | named)
    assert [spec.model for spec in specs] == [PARENT, VARIANT]
    assert all("models" not in spec.dump() for spec in specs)
    assert specs[0].model_copy(update={"model": VARIANT}) == specs[1]


def test_a_spec_of_one_model_is_parsed_as_before() -> None:
    (spec,) = parse_each(SPEC | {"model": PARENT})
    assert spec.model == PARENT


@pytest.mark.parametrize("models", [[], "variant:leace", [1], None, {"a": "b"}])
def test_models_that_are_no_list_of_references_are_refused(models: Any) -> None:
    with pytest.raises(SpecError, match="models must be a list of references"):
        parse_each(SPEC | {"model": PARENT, "models": models})


def test_too_many_models_and_a_wrong_reference_are_refused() -> None:
    with pytest.raises(SpecError, match="13 models"):
        parse_each(SPEC | {"models": [f"variant:v{number}" for number in range(13)]})
    with pytest.raises(SpecError, match="nonsense"):
        parse_each(SPEC | {"model": PARENT, "models": ["nonsense"]})


def test_other_models_replace_all_that_the_spec_names() -> None:
    data = SPEC | {"model": PARENT, "models": [VARIANT]}
    assert model_names(data) == [PARENT, VARIANT]
    assert model_names(for_model(data, "variant:inlp")) == ["variant:inlp"]
    assert model_names(for_models(data, [PARENT, "variant:inlp"])) == [PARENT, "variant:inlp"]
    assert "models" not in for_models(data, [PARENT])


@pytest.mark.parametrize("data", [None, [], {"models": 3}, {"model": 4}])
def test_data_of_no_spec_names_no_model(data: Any) -> None:
    assert model_names(data) == []
