"""Which rated groups stand for two groups of names. People were asked about women or about Black people, never both.

The curated file names the rated group of a name group by gender and by race: of two groups that differ in one of the
two, those of this one are compared, as in Table 5 of An et al. 2023.
"""

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).parent / "matches.csv"


@dataclass(frozen=True, slots=True)
class Match:
    """The rated groups that stand for two groups of names; `proposed` by the curated file, else chosen by a reader."""

    a: str
    b: str
    proposed: bool


def proposed(group_a: str, group_b: str) -> Match | None:
    """None where the file does not know both, or they differ in gender and in race, so that nothing stands for them."""
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
