"""A caution where the names of groups differ in length."""

import pytest

from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.methods.association.group_lengths import group_length_warnings
from plumbline.spec.content import Group
from plumbline.spec.group_lengths import length_sentence


def test_the_longest_and_the_shortest_name_are_named() -> None:
    groups = [Group(label="women", plural="women"), Group(label="nb", plural="nonbinary people")]
    sentence = length_sentence(groups)
    assert "“nonbinary people” has 2 words, “women” 1." in sentence
    assert "may differ for that reason alone" in sentence


@pytest.mark.parametrize(
    "groups",
    [
        [],
        [Group(label="women"), Group(label="men")],
        [Group(label="old people"), Group(label="young people")],
        [Group(label="women"), Group(label="men"), Group(label="Black women", components=("Black people", "women"))],
    ],
)
def test_names_of_one_length_need_no_caution_and_pairs_are_longer_by_their_making(groups: list[Group]) -> None:
    assert length_sentence(groups) == ""


@pytest.mark.parametrize(
    ("among", "count"), [((), 1), (("women", "men"), 0), (("women", "nonbinary people"), 1), (("women",), 0)]
)
def test_only_the_groups_that_a_finding_compares_count(among: tuple[str, ...], count: int, db: None) -> None:
    spec = {
        "name": "weekly",
        "probe": "ilps",
        "model": "bundled:masked-demo",
        "prior": {"plural": "people"},
        "groups": {"inline": ["women", "men", "nonbinary people"]},
        "attributes": {"inline": ["warm"]},
        "templates": {"inline": ["{group} are {attribute}."]},
    }
    run = Run.objects.create(name="weekly", probe="ilps", model="bundled:masked-demo", spec=spec, state=RunState.DONE)
    assert len(group_length_warnings(run, among)) == count
