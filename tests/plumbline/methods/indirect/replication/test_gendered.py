"""Which words of a run name genders, and what a plan lacks where none do."""

from typing import Any

from plumbline.methods.indirect.materials import IndirectMaterials
from plumbline.methods.indirect.replication.gendered import NO_DIRECT, NO_WORDS, Gendered, gendered, lacking
from tests.plumbline.methods.indirect.test_spec import spec_of

WORDS = [{"text": "boy", "group": "male"}, {"text": "girl", "group": "female"}, "child"]
SET: dict[str, Any] = {
    "attributes": {"inline": WORDS},
    "bridge_feature": ["{name} is {a feature}."],
    "target_feature": ["{A target} is {a feature}."],
}
TARGETS = {"inline": ["nurse", {"text": "waitress", "plural": "waitresses", "group": "female"}]}


def materials(**other: Any) -> IndirectMaterials:
    return spec_of(targets=TARGETS, **other).materials({})


def test_words_that_name_both_genders_and_are_asked_directly_are_found() -> None:
    found = gendered(materials(sensitive=[SET]))
    assert found == Gendered(
        "sensitive", {"boy": "male", "girl": "female"}, ("nurse", "waitress"), {"waitress": "female"}
    )
    assert found.of("female") == ["girl"]
    assert found.neutral == ["nurse"]
    assert lacking(materials(sensitive=[SET])) == ""


def test_they_may_be_the_neutral_features() -> None:
    templates = {
        "target_bridge": ["{name} is {a target}."],
        "bridge_feature": ["{name} is {a feature}."],
        "target_feature": ["{A target} is {a feature}."],
    }
    found = gendered(materials(features={"inline": WORDS}, templates=templates))
    assert found is not None
    assert (found.slug, list(found.words)) == ("", ["boy", "girl"])


def test_without_direct_sentences_the_plan_lacks_these() -> None:
    without = {key: value for key, value in SET.items() if key != "target_feature"}
    assert gendered(materials(sensitive=[without])) is None
    assert lacking(materials(sensitive=[without])) == NO_DIRECT


def test_words_of_one_gender_are_not_enough() -> None:
    one_sided = {**SET, "attributes": {"inline": WORDS[:1]}}
    assert lacking(materials(sensitive=[one_sided])) == NO_WORDS
    assert lacking(materials()) == NO_WORDS
