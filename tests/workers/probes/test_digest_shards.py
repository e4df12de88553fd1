"""Items in shards by a digest: all of them once, and most stay where they were if one is added."""

from dataclasses import dataclass

from workers.probes.digest_shards import by_digest


@dataclass(frozen=True)
class Item:
    id: str


ITEMS = [Item(f"item {number}") for number in range(100)]


def test_each_item_is_in_one_shard_in_its_order() -> None:
    shards = by_digest(ITEMS, 30)
    assert set(shards) <= set(range(4))
    assert sorted((one for own in shards.values() for one in own), key=ITEMS.index) == ITEMS
    assert all(own == sorted(own, key=ITEMS.index) for own in shards.values())


def test_an_item_more_moves_no_other_one_within_a_number_of_shards() -> None:
    before, after = by_digest(ITEMS[:-1], 30), by_digest(ITEMS, 30)
    assert {number: [one for one in own if one != ITEMS[-1]] for number, own in after.items()} == before


def test_no_items_are_in_no_shard() -> None:
    assert by_digest([], 30) == {}
