"""Proportions and thresholds by which a name indicates a race and a gender (An et al. 2023, appendix A.1)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from plumbline.vocab.proposals.table import RACES, Cell, Table

GROUPS = {
    ("EA", "F"): "European American women",
    ("EA", "M"): "European American men",
    ("AA", "F"): "African American women",
    ("AA", "M"): "African American men",
    ("AS", "F"): "Asian women",
    ("AS", "M"): "Asian men",
    ("HS", "F"): "Hispanic women",
    ("HS", "M"): "Hispanic men",
}
"""The groups, as the starter list of the paper's names calls them."""
LOW = 0.9
"""A name with a lower proportion is flagged: it indicates its group only loosely."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Thresholds of a name. The paper took names of 100 % (section A.1) for Asian and Hispanic people."""

    race: float = 1.0
    """The least Proportion_r, equation 6."""
    gender: float = 1.0
    """The least Proportion_g, equation 7."""
    count: int = 1
    """The fewest children with the name."""
    races: tuple[str, ...] = ("AS", "HS")


@dataclass(frozen=True, slots=True)
class Share:
    """A name with the race and the gender of most people who bear it."""

    name: str
    race: str
    gender: str
    race_share: float
    """Proportion_r = count(n, r) / sum over races, from 0 to 1."""
    gender_share: float
    """Proportion_g = count(n, g) / sum over genders, from 0 to 1."""
    count: int

    @property
    def group(self) -> str:
        return GROUPS[self.race, self.gender]

    @property
    def is_low(self) -> bool:
        return min(self.race_share, self.gender_share) < LOW

    def lacking(self, needed: Thresholds) -> str:
        """Return the reason why the name is not proposed; "" if it is."""
        if self.race not in needed.races:
            return f"most who bear it are {self.group.rsplit(' ', 1)[0]}"
        faults = [
            *([f"race {self.race_share:.2f} < {needed.race:g}"] if self.race_share < needed.race else []),
            *([f"gender {self.gender_share:.2f} < {needed.gender:g}"] if self.gender_share < needed.gender else []),
            *([f"count {self.count:,} < {needed.count:,}"] if self.count < needed.count else []),
        ]
        return "; ".join(faults)


def shares(table: Table) -> dict[str, Share]:
    """Return the proportions of all names, by name in lower case."""
    return {name.lower(): _share(name, counts) for name, counts in table.counts.items() if any(counts.values())}


def proposed(found: Iterable[Share], needed: Thresholds) -> list[Share]:
    """Return the names that reach all thresholds, by group in the order of the paper, the most frequent first."""
    order = {group: place for place, group in enumerate(GROUPS.values())}
    chosen = [share for share in found if not share.lacking(needed)]
    return sorted(chosen, key=lambda share: (order[share.group], -share.count, share.name))


def _share(name: str, counts: Mapping[Cell, int]) -> Share:
    total = sum(counts.values())
    races = {race: sum(count for (one, _), count in counts.items() if one == race) for race in RACES.values()}
    genders = {gender: sum(count for (_, one), count in counts.items() if one == gender) for gender in "FM"}
    race, gender = max(races, key=races.__getitem__), max(genders, key=genders.__getitem__)
    return Share(name, race, gender, races[race] / total, genders[gender] / total, total)
