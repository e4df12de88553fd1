from typing import Any

import pytest

from plumbline.spec.association import AssociationSpec
from plumbline.spec.audit import parse
from plumbline.spec.errors import SpecError

WOMEN = {"label": "women", "singular": "woman", "plural": "women"}
SPEC: dict[str, Any] = {
    "name": "traits",
    "probe": "ilps_chain",
    "model": "path:./some/dir",
    "groups": {"inline": [WOMEN, "men"]},
    "prior": {"singular": "person"},
    "attributes": {"inline": ["kind", "brave"]},
    "templates": {"inline": ["{group} [are|should be] {attribute}."]},
}


def spec(**changes: Any) -> AssociationSpec:
    parsed = parse({**SPEC, **changes})
    assert isinstance(parsed, AssociationSpec)
    return parsed


def test_the_items_are_the_cells_of_templates_groups_and_attributes() -> None:
    materials = spec(attributes=[{"inline": ["kind"]}, {"list": "jobs", "sha256": "j"}]).materials(
        {"j": {"entries": [{"text": "nurse"}, {"text": "usher"}]}}
    )
    assert materials.templates == ("{group} are {attribute}.", "{group} should be {attribute}.")
    assert materials.categories == ("", "jobs", "jobs")
    assert len(materials) == 2 * 2 * 3


def test_words_with_all_the_forms_that_the_templates_ask_for_are_accepted() -> None:
    spec().check({})
    spec(groups={"inline": [WOMEN]}, templates={"inline": ["{A group.singular} is {a attribute}"]}).check({})


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        (
            {"templates": {"inline": ["{group} wait."]}},
            r"'\{group\} wait\.' lacks the slot \{attribute\}",
        ),
        (
            {"templates": {"inline": ["{name} {group} {attribute}"]}},
            r"slot \{name\}, which the probe ilps_chain does not",
        ),
        ({"templates": {"inline": ["{groups} {attribute}"]}}, r"unknown slot \{groups\}"),
        (
            {"templates": {"inline": ["{group.plural} {attribute}"]}},
            "needs the plural of group 'men', which has none: enter it",
        ),
        ({"templates": {"inline": ["{group} {attribute.plural}"]}}, "needs the plural of attribute 'kind'"),
        (
            {"groups": {"inline": [WOMEN]}, "templates": {"inline": ["{group.plural} {attribute}"]}},
            "needs the plural of group 'person'",
        ),
        ({"groups": {"inline": ["men", "men"]}}, "group 'men' appears twice"),
        ({"attributes": {"inline": ["kind", {"text": "kind", "plural": "kinds"}]}}, "attribute 'kind' appears twice"),
    ],
)
def test_what_the_words_or_templates_lack_is_named_without_a_model(changes: dict[str, Any], fault: str) -> None:
    with pytest.raises(SpecError, match=fault):
        spec(**changes).check({})


def test_an_audit_too_large_for_one_run_is_refused() -> None:
    words = [f"word {number}" for number in range(400)]
    options = "|".join(words)
    with pytest.raises(SpecError, match=r"64,000,000 items; a run holds at most 50,000,000. Split"):
        spec(
            groups={"inline": words},
            attributes={"inline": words},
            templates={"inline": [f"[{options}] {{group}} {{attribute}}"]},
        ).check({})


def test_a_prior_without_words_of_its_own_needs_no_forms() -> None:
    for prior in ({"mask": "one"}, {"mean": True}):
        spec(prior=prior, groups={"inline": [WOMEN]}, templates={"inline": ["{group.plural} {attribute}"]}).check({})


def test_the_variant_names_every_choice_that_changes_the_numbers() -> None:
    assert spec(params={"resamples": 100, "level": 0.9}).variant == ""
    chosen = {"variant": "released_code", "suffix": True, "ends": "required", "format": "chat"}
    assert spec(params=chosen, dtype="bf16").variant == "format chat, suffix, ends required, released_code, bfloat16"


def test_params_of_the_summary_do_not_count_as_params_of_scoring() -> None:
    default = spec().scoring_params()
    assert (
        spec(params={"resamples": 100, "permutations": 99, "level": 0.9, "contrasts": "rest"}).scoring_params()
        == default
    )
    assert spec(params={"suffix": True}).scoring_params() != default
