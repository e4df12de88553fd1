"""The distribution of a table's names over races and genders (An et al. 2023, appendix A.1 and figure 6)."""

from dataclasses import dataclass

from plumbline.vocab.proposals.proportions import GROUPS
from plumbline.vocab.proposals.table import Table

SHOWN_FIRST = ("AS", "HS")
"""The races of figure 6. The figure leaves out the others."""
WIDEST = 240
"""Pixels of the longest bar."""


@dataclass(frozen=True, slots=True)
class GroupOfNames:
    """A race and a gender: its distinct names, the children who bear them, and the length of a bar of the names."""

    group: str
    names: int
    children: int
    bar: float


def names_by_group(table: Table) -> list[GroupOfNames]:
    """Return how many distinct names each group has in the table, the races of the figure first.

    A name counts in every group in which a child bears it, so the sum is larger than the number of names.
    """
    cells = sorted(GROUPS, key=lambda cell: cell[0] not in SHOWN_FIRST)
    counts = [[own[cell] for own in table.counts.values() if own.get(cell)] for cell in cells]
    most = max(map(len, counts)) or 1
    return [
        GroupOfNames(GROUPS[cell], len(own), sum(own), round(WIDEST * len(own) / most, 1))
        for cell, own in zip(cells, counts, strict=True)
    ]


def names_of_race(table: Table, race: str) -> int:
    """Return how many distinct names the children of a race have, of either gender."""
    return sum(any(one == race and count for (one, _), count in own.items()) for own in table.counts.values())
