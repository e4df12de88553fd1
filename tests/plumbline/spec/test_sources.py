from collections.abc import Mapping
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from plumbline.spec.banks.pairs import pairs_of
from plumbline.spec.content import Attribute, Group
from plumbline.spec.errors import SpecError
from plumbline.spec.sources import (
    Attributes,
    AttributeSource,
    Groups,
    Templates,
    attributes_of,
    groups_of,
    templates_of,
)

SNAPSHOTS: Mapping[str, Mapping[str, Any]] = {
    "g": {
        "entries": [{"label": "women", "plural": "women", "modifier": "female"}, {"label": "men", "singular": "man"}]
    },
    "a": {"entries": [{"text": "nurse", "plural": "nurses"}, {"text": "warm", "pair": "cold - warm"}]},
    "t": {"entries": [{"template": "[All|Most] {group.plural} are {attribute}."}]},
    "none": {"entries": []},
}


def groups(data: Any) -> list[Group]:
    return groups_of(TypeAdapter(Groups).validate_python(data), SNAPSHOTS)


def attributes(data: Any) -> list[tuple[Attribute, str]]:
    return attributes_of(TypeAdapter(Attributes).validate_python(data), SNAPSHOTS)


def templates(data: Any) -> list[str]:
    return templates_of(TypeAdapter(Templates).validate_python(data), SNAPSHOTS)


def test_inline_entries_are_words_or_words_with_forms() -> None:
    assert groups({"inline": ["women", {"label": "men", "singular": "man"}]}) == [
        Group(label="women"),
        Group(label="men", singular="man"),
    ]
    assert attributes({"inline": ["kind"]}) == [(Attribute(text="kind"), "")]


def test_a_curated_list_gives_its_frozen_entries_in_order() -> None:
    assert [group.label for group in groups({"list": "gender", "sha256": "g"})] == ["women", "men"]


def test_curated_keys_that_a_run_does_not_use_are_left_out() -> None:
    assert groups({"list": "gender", "sha256": "g"})[0] == Group(label="women", plural="women")


def test_only_chooses_and_orders() -> None:
    assert [group.label for group in groups({"list": "gender", "sha256": "g", "only": ["men", "women"]})] == [
        "men",
        "women",
    ]
    assert [attribute.text for attribute, _ in attributes({"list": "x", "sha256": "a", "only": ["warm"]})] == ["warm"]


def test_several_sources_are_joined_and_each_attribute_knows_its_list() -> None:
    joined = attributes([{"list": "jobs", "sha256": "a"}, {"inline": ["brave"]}])
    assert [(attribute.text, slug) for attribute, slug in joined] == [
        ("nurse", "jobs"),
        ("warm", "jobs"),
        ("brave", ""),
    ]


def test_the_plural_form_is_in_the_attribute_slot() -> None:
    source = {"list": "jobs", "sha256": "a", "only": ["nurse"], "form": "plural"}
    assert attributes(source) == [(Attribute(text="nurses"), "jobs")]


def test_a_word_without_the_plural_that_is_asked_for_is_named() -> None:
    with pytest.raises(SpecError, match=r"attribute 'warm' has no plural, which 'form: plural' asks for: add it\."):
        attributes({"list": "jobs", "sha256": "a", "form": "plural"})


def test_templates_are_expanded() -> None:
    assert templates([{"list": "frames", "sha256": "t"}, {"inline": ["{Group} {attribute}"]}]) == [
        "All {group.plural} are {attribute}.",
        "Most {group.plural} are {attribute}.",
        "{Group} {attribute}",
    ]


def test_an_apostrophe_and_letters_of_any_script_are_part_of_a_word() -> None:
    labels = ["O'Neil", "D’Angelo", "Zoë", "Nguyễn", "李"]
    assert [group.label for group in groups({"inline": labels})] == labels


def test_white_space_around_a_word_is_no_part_of_it() -> None:
    assert groups({"inline": ["  women "]}) == [Group(label="women")]


@pytest.mark.parametrize(
    ("read", "data", "fault"),
    [
        (groups, {"inline": ["women", "women"]}, "group 'women' appears twice; keep one"),
        (groups, {"inline": ["women", " women"]}, "group 'women' appears twice"),
        (groups, [{"inline": ["men"]}, {"list": "gender", "sha256": "g"}], "group 'men' appears twice"),
        (groups, {"list": "gender", "sha256": "g", "only": ["men", "men"]}, "group 'men' appears twice"),
        (attributes, {"inline": ["kind", "kind"]}, "attribute 'kind' appears twice"),
        (templates, {"inline": ["[All|Most] {group}", "All {group}"]}, r"template 'All \{group\}' appears twice"),
        (groups, {"list": "void", "sha256": "none"}, "the list of groups is empty; give at least one group"),
        (
            groups,
            {"list": "gender", "sha256": "g", "only": ["girls"]},
            "'gender' has no entry 'girls', which 'only'",
        ),
        (groups, {"list": "gender"}, "list 'gender' is not frozen yet; launch the spec"),
    ],
)
def test_words_that_cannot_be_used_are_named(read: Any, data: Any, fault: str) -> None:
    with pytest.raises(SpecError, match=fault):
        read(data)


@pytest.mark.parametrize(
    ("kind", "data", "fault"),
    [
        (Groups, {"inline": []}, "at least 1 item"),
        (Groups, [], "at least 1 item"),
        (Groups, {"list": "gender", "only": []}, "at least 1 item"),
        (Groups, {"inline": [" "]}, "must not be empty"),
        (Groups, {"inline": [{"label": ""}]}, "must not be empty"),
        (Groups, {"inline": [{"singular": "woman"}]}, "Field required"),
        (
            Groups,
            {"inline": [{"label": "women", "plurall": "women"}]},
            "unknown key 'plurall'; the keys of an entry",
        ),
        (Groups, {"inline": [False]}, "False is not text in YAML; put the word in quotes"),
        (Attributes, {"inline": [1990]}, "1990 is not text in YAML; put the word in quotes"),
        (Groups, {}, "give either 'list'"),
        (Groups, {"list": "gender", "inline": ["women"]}, "give either 'list'"),
        (Groups, {"inline": ["women"], "only": ["women"]}, "'only' chooses from a curated list"),
        (Groups, "women", r"write \{list: NAME\} or \{inline: \[...\]\}, or a list of these"),
        (Groups, ["women"], r"write \{list: NAME\} or \{inline: \[...\]\}, or a list of these"),
        (Attributes, {"list": "jobs", "form": "dual"}, "'text' or 'plural'"),
        (Groups, {"list": "gender", "form": "plural"}, "Extra inputs are not permitted"),
    ],
)
def test_a_source_that_says_too_little_or_too_much_is_refused(kind: Any, data: Any, fault: str) -> None:
    with pytest.raises(ValidationError, match=fault):
        TypeAdapter(kind).validate_python(data)


POLES: list[dict[str, Any]] = [
    {"text": "dull", "pole": "left", "pair": "dull - keen", "dimension": "Wit", "extra": ["slow", "dim"]},
    {"text": "keen", "pole": "right", "pair": "dull - keen", "dimension": "Wit", "extra": ["quick"]},
    {"text": "slow", "pole": "left", "pair": "slow - fast", "extra": ["dim", "late"]},
    {"text": "fast", "pole": "right", "pair": "slow - fast"},
]


def of_poles(**changes: Any) -> list[Attribute]:
    source = AttributeSource.model_validate({"inline": [Attribute(**one) for one in POLES], **changes})
    return [attribute for attribute, _ in attributes_of((source,), {})]


def test_adjectives_beside_the_poles_are_asked_only_on_request() -> None:
    assert [one.text for one in of_poles()] == ["dull", "keen", "slow", "fast"]
    assert not any(pair.left_extra + pair.right_extra for pair in pairs_of(of_poles()))


def test_adjectives_beside_the_poles_are_asked_once_and_belong_to_all_their_poles() -> None:
    found = of_poles(extra="averaged")
    assert [one.text for one in found] == ["dull", "keen", "slow", "fast", "dim", "quick", "late"]
    wit, pace = pairs_of(found)
    assert (wit.left_extra, wit.right_extra) == ((2, 4), (5,))
    assert (pace.left_extra, pace.right_extra) == ((4, 6), ())


def test_adjectives_beside_the_poles_have_no_plural() -> None:
    with pytest.raises(ValidationError, match="have no plural"):
        of_poles(extra="averaged", form="plural")
