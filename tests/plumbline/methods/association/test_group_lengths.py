"""A caution where the names of groups differ in length."""

import pytest

from plumbline.methods.association.group_lengths import length_sentence
from plumbline.spec.content import Group


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
