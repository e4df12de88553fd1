"""Cells fall into shards by the hash of their block."""

from plumbline.spec.content import Attribute, Group
from plumbline.spec.materials import Materials
from workers.probes.cell_scores.cells import ITEMS_PER_SHARD, Cell, all_cells, in_shards


def materials(templates: int, groups: int, attributes: int) -> Materials:
    return Materials(
        templates=tuple(f"T{index} {{group.plural}} {{attribute}}" for index in range(templates)),
        groups=tuple(Group(label=f"g{index}", plural=f"g{index}") for index in range(groups)),
        attributes=tuple(Attribute(text=f"a{index}") for index in range(attributes)),
        categories=("",) * attributes,
    )


def context(words: Materials) -> "dict[Cell, str]":
    return {cell: f"{words.templates[cell[0]]}|{words.groups[cell[1]].label}" for cell in all_cells(words)}


def test_each_cell_is_in_one_shard() -> None:
    words = materials(6, 30, 40)
    shards = in_shards(all_cells(words), context(words).__getitem__)
    assert sorted(cell for shard in shards for cell in shard) == all_cells(words)
    assert len(shards) == 8


def test_a_small_audit_is_one_shard() -> None:
    words = materials(2, 2, 10)
    assert len(in_shards(all_cells(words), context(words).__getitem__)) == 1


def test_a_block_stays_together() -> None:
    words = materials(6, 30, 40)
    blocks = context(words)
    where: dict[str, set[int]] = {}
    for number, shard in enumerate(in_shards(all_cells(words), blocks.__getitem__)):
        for cell in shard:
            where.setdefault(blocks[cell], set()).add(number)
    assert all(len(numbers) == 1 for numbers in where.values())


def test_a_group_more_touches_few_shards() -> None:
    before, after = materials(4, 60, 20), materials(4, 61, 20)
    assert len(all_cells(after)) <= 8 * ITEMS_PER_SHARD

    def texts(words: Materials) -> set[frozenset[str]]:
        blocks = context(words)
        return {frozenset(f"{blocks[c]}|{c[2]}" for c in s) for s in in_shards(all_cells(words), blocks.__getitem__)}

    assert len(texts(before) & texts(after)) >= 4
