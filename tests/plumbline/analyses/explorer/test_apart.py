"""How far an item stands from the other groups in its template."""

import pytest

from plumbline.analyses.explorer.apart import apart, by_difference
from plumbline.results.items import Item


def item(number: int, template: str, group: str, score: float | None) -> Item:
    return Item(number, template, group, "warm", None, None, score, score is not None, None)


ITEMS = [
    item(1, "A", "men", 1.0),
    item(2, "A", "women", 3.0),
    item(3, "B", "men", 2.0),
    item(4, "B", "women", 0.5),
    item(5, "C", "men", 1.0),
    item(6, "C", "women", None),
]


def test_an_item_is_compared_with_the_mean_of_the_others_in_its_template() -> None:
    three = [item(1, "A", "elves", 3.0), item(2, "A", "men", 1.0), item(3, "A", "women", 0.5)]
    assert apart(three) == pytest.approx({1: 2.25, 2: -0.75, 3: -1.5})
    assert apart(ITEMS) == pytest.approx({1: -2.0, 2: 2.0, 3: 1.5, 4: -1.5})


def test_templates_stand_by_the_difference_of_their_first_group_and_those_without_one_last() -> None:
    assert [one.id for one in by_difference(ITEMS, apart(ITEMS))] == [3, 4, 1, 2, 5, 6]
