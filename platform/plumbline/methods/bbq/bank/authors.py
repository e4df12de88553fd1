"""The authors' own table of bias targets, additional_metadata.csv, in both meanings that its target_loc has had.

Until July 2022 it was the place of the option that names the stereotyped group. Since then it is the answer that agrees
with the bias, which is the other person where the question is not negative. In a set of four the first is the same in
all, and the second changes with the polarity: so each category shows which meaning it has.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from plumbline.methods.bbq.bank import tables
from plumbline.methods.bbq.bank.lines import Line, stated_text
from plumbline.methods.bbq.bank.sets import SIZE
from plumbline.spec.banks.bbq_question import OPTIONS
from plumbline.spec.errors import InputError

REQUIRED = ("category", "example_id", "target_loc")
NAMED, AGREEING = "names the group", "agrees with the bias"
Key = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Authors:
    """The table's entries, by category and example_id."""

    places: Mapping[Key, int] = field(default_factory=dict)
    """target_loc, as the table has it."""
    seconds: Mapping[Key, str] = field(default_factory=dict)
    """The stereotyped gender or SES of intersectional examples."""
    meanings: Mapping[str, str] = field(default_factory=dict)
    """The meaning of target_loc in each category. A category whose sets disagree has none."""
    notices: Sequence[str] = ()

    def target(self, line: Line, unknown: int) -> int | None:
        """Return the place of the stereotyped group; None if the table does not say it."""
        place = self.places.get((line.category, line.example_id))
        meaning = self.meanings.get(line.category)
        if place is None or meaning is None or place == unknown:
            return None
        inverted = meaning == AGREEING and line.question_polarity == "nonneg"
        return OPTIONS - place - unknown if inverted else place


def read(path: Path | None) -> Authors:
    """Return the table; an empty one if there is no file.

    Raises InputError naming file and line of the first fault.
    """
    if path is None:
        return Authors()
    rows, notices = tables.rows(path, REQUIRED)
    places: dict[Key, int] = {}
    seconds: dict[Key, str] = {}
    unsure: set[Key] = set()
    for place, cells in rows:
        key = cells["category"].strip(), _number(cells["example_id"], place, "example_id")
        seconds[key] = stated_text(cells.get("Known_stereotyped_var2", ""))
        if stated_text(cells["target_loc"]):
            told = _number(cells["target_loc"], place, "target_loc", OPTIONS - 1)
            if places.setdefault(key, told) != told:
                unsure.add(key)
    sure = {key: told for key, told in places.items() if key not in unsure}
    if unsure:
        notices = [*notices, f"{path.name} gives {len(unsure):,} examples two targets: left to the rule."]
    return Authors(sure, {key: text for key, text in seconds.items() if text}, meanings_of(sure), notices)


def meanings_of(places: Mapping[Key, int]) -> dict[str, str]:
    """Return the meaning of target_loc in each category with at least 90% of its sets in agreement."""
    sets: dict[tuple[str, int], dict[int, int]] = defaultdict(dict)
    for (category, example), place in places.items():
        sets[category, example // SIZE][example % SIZE] = place
    counted: dict[str, Counter[str]] = defaultdict(Counter)
    for (category, _), four in sets.items():
        if len(four) == SIZE:
            counted[category][NAMED if four[0] == four[2] else AGREEING] += 1
    return {name: counts.most_common(1)[0][0] for name, counts in counted.items() if _clear(counts)}


def _clear(counts: Counter[str]) -> bool:
    return counts.most_common(1)[0][1] >= 0.9 * counts.total()


def _number(cell: str, place: str, column: str, most: int | None = None) -> int:
    text = cell.strip().removesuffix(".0")
    if not (text.isascii() and text.isdecimal()) or (most is not None and int(text) > most):
        raise InputError(f"{place}: {column} {cell!r} is no number{'' if most is None else f' from 0 to {most}'}.")
    return int(text)
