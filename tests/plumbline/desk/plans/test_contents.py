"""What the page of a plan says about its lists."""

import pytest

from plumbline.desk.plans.contents import entry_name


@pytest.mark.parametrize(
    ("entry", "name"),
    [
        ("warm", "warm"),
        ({"template": "All {group} are {attribute}."}, "All {group} are {attribute}."),
        ({"id": "Age 17", "template": "S1", "question": "Who forgot it?"}, ""),
    ],
)
def test_an_entry_is_named_by_its_word_or_sentence_and_an_item_of_a_bank_by_nothing(entry: object, name: str) -> None:
    assert entry_name(entry) == name
