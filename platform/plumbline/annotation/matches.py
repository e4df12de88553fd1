"""Matches of rated groups with two groups of names. People rated women or Black people, never the combination.

The curated file gives each group of names its rated group by gender and by race. Of two groups that differ in one of
the two, the rated groups of that one are compared, as in Table 5 of An et al. 2023.
"""

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).parent / "matches.csv"


@dataclass(frozen=True, slots=True)
class Match:
    """The rated groups that represent two groups of names, `proposed` by the curated file or chosen by the reader."""

    a: str
    b: str
    proposed: bool


def proposed(group_a: str, group_b: str) -> Match | None:
    """Return the curated match, or None if a group is unknown or the two do not differ in exactly one of gender and
    race.
    """
    one, other = (_known().get(group) for group in (group_a, group_b))
    if one is None or other is None:
        return None
    gender, race = ((one[field], other[field]) for field in ("gender", "race"))
    if (gender[0] == gender[1]) == (race[0] == race[1]):
        return None
    return Match(*(race if gender[0] == gender[1] else gender), proposed=True)


@cache
def _known() -> dict[str, dict[str, str]]:
    with FILE.open(newline="") as file:
        return {row["group"]: row for row in csv.DictReader(file)}
