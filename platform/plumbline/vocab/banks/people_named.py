"""The one person of a multiple-choice question, found by first names that are known.

Known names are those of the starter lists, and those that a question of the file names (capitalised, and also in its
context). A row with exactly one of them is about this person.
"""

import csv
import re
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from plumbline.vocab.banks.seed_names import capitalised

FOLDER = Path(__file__).parents[1] / "starter" / "names"
_WORD = re.compile(r"[^\W\d_]+")


@cache
def starter_names() -> frozenset[str]:
    """Return all first names of the starter lists."""
    found: set[str] = set()
    for path in sorted(FOLDER.glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            found.update(row["name"] for row in csv.DictReader(file))
    return frozenset(found)


def known_names(questions: Sequence[str], contexts: Sequence[str]) -> frozenset[str]:
    """Return the starter names and the people whom questions name. Questions and contexts belong together."""
    asked = (set(capitalised(one)) & set(words_of(other)) for one, other in zip(questions, contexts, strict=True))
    return starter_names().union(*asked)


def people_in(texts: Iterable[str], known: frozenset[str]) -> list[str]:
    """Return the known names in these texts, each once, in their order."""
    return list(dict.fromkeys(word for text in texts for word in words_of(text) if word in known))


def words_of(text: str) -> list[str]:
    return _WORD.findall(text)
