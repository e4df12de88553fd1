"""Proposal of names from one table by one set of thresholds."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from plumbline.vocab.models import Name
from plumbline.vocab.proposals.accepting import about_list
from plumbline.vocab.proposals.comparison import Comparison, compare
from plumbline.vocab.proposals.distribution import GroupOfNames, names_by_group
from plumbline.vocab.proposals.proportions import Share, Thresholds, proposed, shares
from plumbline.vocab.proposals.table import Table


@dataclass(frozen=True)
class Proposal:
    """The table of a file, and its thresholds; None proposes nothing."""

    file: str
    table: Table
    needed: Thresholds | None

    @cached_property
    def found(self) -> dict[str, Share]:
        """Return all names of the table, by name in lower case."""
        return shares(self.table)

    @cached_property
    def chosen(self) -> list[Share]:
        return proposed(self.found.values(), self.needed) if self.needed else []

    @property
    def groups(self) -> list[GroupOfNames]:
        """Return the names of the table by race and gender, whatever the thresholds."""
        return names_by_group(self.table)

    def compared_with(self, published: Iterable[Name]) -> list[Comparison]:
        """Return the comparison with these names, by group."""
        return compare(self.found, self.chosen, self.needed, published) if self.needed else []

    def about(self) -> dict[str, str]:
        """Return the fields of a list of these names."""
        return about_list(self.file, self.table, self.needed) if self.needed else {}
