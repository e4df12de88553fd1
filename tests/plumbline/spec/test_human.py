"""The key `human` of a spec: one list of ratings, of groups and pairs that the audit asks for."""

from typing import Any, cast

import pytest

from plumbline.spec.association import AssociationSpec
from plumbline.spec.audit import parse
from plumbline.spec.errors import SpecError

RATING = {"annotator": "a", "group": "women", "left": "cold", "right": "warm", "rating": 70}
SPEC: dict[str, Any] = {
    "name": "test",
    "probe": "ilps",
    "model": "path:./model",
    "groups": {"inline": ["women", "men"]},
    "prior": {"plural": "people"},
    "attributes": {
        "inline": [
            {"text": "cold", "pole": "left", "pair": "cold - warm"},
            {"text": "warm", "pole": "right", "pair": "cold - warm"},
        ]
    },
    "templates": {"inline": ["{group} are {attribute}."]},
    "human": {"inline": [RATING]},
}


def spec(**changes: Any) -> AssociationSpec:
    return cast("AssociationSpec", parse(SPEC | changes))


def test_inline_judgements_are_read() -> None:
    own = spec()
    own.check({})
    judgements = own.judgements({})
    assert judgements is not None
    assert judgements.values.tolist() == [[[70.0]]]
    assert parse(own.dump()) == own


def test_a_curated_list_is_one_of_the_specs_sources() -> None:
    own = spec(human={"list": "judged", "sha256": "h"})
    assert [source.slug for source in own.sources()["human"]] == ["judged"]
    judgements = own.judgements({"h": {"entries": [RATING]}})
    assert judgements is not None
    assert judgements.annotators == ("a",)


def test_without_the_key_there_are_no_judgements() -> None:
    own = cast("AssociationSpec", parse({key: value for key, value in SPEC.items() if key != "human"}))
    own.check({})
    assert own.judgements({}) is None
    assert "human" not in own.dump()


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"human": {"inline": [RATING | {"rating": 100.5}]}}, "less than or equal to 100"),
        ({"human": {"inline": [RATING | {"rating": "high"}]}}, "rating"),
        ({"human": {"inline": [RATING | {"annotator": " "}]}}, "must not be empty"),
        ({"human": {"inline": [{"group": "women"}]}}, "annotator: is missing"),
        ({"human": {"inline": [RATING | {"colour": "red"}]}}, "unknown key 'colour'"),
        ({"human": [{"inline": [RATING]}, {"inline": [RATING]}]}, "at most 1"),
        ({"human": {"inline": [RATING | {"group": "cats"}]}}, "no rating matches a group and a pair of this audit"),
        ({"human": {"inline": [RATING, RATING]}}, "'a' rates 'women' on cold - warm twice"),
        ({"attributes": {"inline": ["cold", "warm"]}}, "'human' needs pairs of opposites"),
        ({"attributes": {"inline": [{"text": "cold", "pole": "left"}]}}, "give both 'pair' and 'pole'"),
    ],
)
def test_wrong_judgements_are_refused_in_one_line(changes: dict[str, Any], fault: str) -> None:
    with pytest.raises(SpecError) as caught:
        spec(**changes).check({})
    assert fault in str(caught.value)
    assert "\n" not in str(caught.value)


def test_ratings_have_nothing_that_only_could_choose() -> None:
    own = spec(human={"list": "judged", "sha256": "h", "only": ["a"]})
    with pytest.raises(SpecError, match="ratings have no 'only'"):
        own.judgements({"h": {"entries": [RATING]}})
