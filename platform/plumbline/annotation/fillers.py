"""Fillers: questions mixed with those of BBQ, so that the length of a context does not reveal the answer.

In BBQ the right answer to a short context is always UNKNOWN. In short fillers it is a person, in long ones UNKNOWN.
Fillers only measure how carefully a rater answers (Parrish et al. 2022, appendix D).
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path

from plumbline.spec.errors import InputError
from plumbline.vocab import csv_file
from plumbline.vocab.faults import named
from plumbline.vocab.sheet import Row

OWN = Path(__file__).with_name("fillers.csv")
"""The fillers that are part of Plumbline."""
COLUMNS = ("context", "question", "ans0", "ans1", "ans2", "label", "unknown")
"""`label` is the index of the right answer, `unknown` that of the UNKNOWN option, from 0."""
PLACES = ("0", "1", "2")
LEAST_SHARE = 0.13
"""The smallest share of a rater's items. The paper's minimum."""
MOST_BYTES, MOST_FILLERS, LONGEST = 500_000, 500, 5000


@dataclass(frozen=True, slots=True)
class Filler:
    context: str
    question: str
    options: tuple[str, str, str]
    gold: int
    unknown: int

    @property
    def long(self) -> bool:
        """Whether the answer is UNKNOWN, so that the context must be long."""
        return self.gold == self.unknown


def own() -> list[Filler]:
    return read(OWN.name, OWN.read_bytes())


def read(name: str, data: bytes) -> list[Filler]:
    """Return the fillers of a CSV file.

    Raises InputError, with name and line, for invalid fillers and for fillers that reveal the answer by length.
    """
    if len(data) > MOST_BYTES:
        raise InputError(f"{name} is larger than {MOST_BYTES // 1000} kB: give fewer fillers.")
    text, _ = csv_file.decode(name, data)
    with named(name):
        rows = csv_file.parse(text, COLUMNS[0], COLUMNS)
        if len(rows) > MOST_FILLERS:
            raise InputError(f"there are more than {MOST_FILLERS} fillers: give fewer.")
        found = [_filler(row) for row in rows]
        _check(found)
    return found


def _filler(row: Row) -> Filler:
    cells = [row.cells.get(column, "") for column in COLUMNS]
    context, question, *options, gold, unknown = cells
    if empty := [column for column, cell in zip(COLUMNS, cells, strict=True) if not cell]:
        raise InputError(f"line {row.line}: {empty[0]} is empty")
    if gold not in PLACES or unknown not in PLACES:
        raise InputError(f"line {row.line}: label and unknown must be 0, 1 or 2, the numbers of options")
    if len(set(options)) < len(options) or max(map(len, cells)) > LONGEST:
        raise InputError(f"line {row.line}: two options are alike, or a text has more than {LONGEST:,} characters")
    return Filler(context, question, (options[0], options[1], options[2]), int(gold), int(unknown))


def _check(found: Sequence[Filler]) -> None:
    short = [len(one.context) for one in found if not one.long]
    long = [len(one.context) for one in found if one.long]
    if not short or not long:
        raise InputError("give fillers of both kinds: short ones with a person as answer, long ones with UNKNOWN")
    if max(short) >= min(long):
        raise InputError(
            f"a context with a person as answer has {max(short)} characters, one with UNKNOWN {min(long)}: make all"
            " contexts with UNKNOWN longer than the others"
        )


def needed(questions: int, share: float) -> int:
    """Return the number of fillers that make up this share of all items, given the number of questions."""
    return ceil(share * questions / (1 - share) - 1e-9)


def draw(found: Sequence[Filler], wanted: int, seed: int) -> list[Filler]:
    """Return `wanted` random fillers, half of each kind if possible. Raises InputError if there are fewer."""
    if wanted > len(found):
        raise InputError(
            f"{wanted} fillers are needed, but there are {len(found)}: choose fewer templates or give more fillers."
        )
    dice = random.Random(f"fillers {seed}")  # noqa: S311 -- a draw that can be made again, no secret
    short, long = ([one for one in found if one.long == sort] for sort in (False, True))
    of_short = min(len(short), max((wanted + 1) // 2, wanted - len(long)))
    return dice.sample(short, of_short) + dice.sample(long, wanted - of_short)
