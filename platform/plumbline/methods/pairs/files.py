"""Files of pairs: CrowS-Pairs, WinoQueer, and tables of your own with two sentences."""

import ast
from collections import Counter
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from plumbline.methods.pairs.tables import Row, items_of, rows_of
from plumbline.spec.errors import InputError
from plumbline.vocab.banks.reading import Questions, named

CROWS = {
    "title": "CrowS-Pairs",
    "source": "Nangia, Vania, Bhalerao and Bowman 2020, CrowS-Pairs; nyu-mll/crows-pairs",
    "licence": "CC BY-SA 4.0",
    "origin": "US, English, 2020",
}
WINOQUEER = {
    "title": "WinoQueer",
    "source": "Felkner, Chang, Jang and May 2023, WinoQueer; katyfelkner/winoqueer",
    "licence": "",
    "origin": "US, English, 2023",
}
OWN = {"title": "Pairs of our own", "source": "", "licence": "", "origin": ""}
CROWS_COLUMNS = ("sent_more", "sent_less", "stereo_antistereo", "bias_type")
MORE = ("more", "sent_more", "first", "stereotypical", "stereotype", "sentence1", "sent1", "sent_x")
LESS = ("less", "sent_less", "second", "anti-stereotypical", "antistereotype", "sentence2", "sent2", "sent_y")
CATEGORY = ("category", "bias_type", "type", "Gender_ID_x")
DIRECTION = ("direction", "stereo_antistereo")
IDS = ("id", "")
"""The column names for each part of a pair, from published files and from people's tables."""
FEWEST_AGREEING = 3
"""The fewest of the five validators of a pair of CrowS-Pairs who must agree on its type."""


def crows(path: Path) -> Questions:
    """Return the pairs of CrowS-Pairs' file. Their flags are the faults that the file itself shows."""
    columns, rows = rows_of(path)
    if missing := [name for name in CROWS_COLUMNS if name not in columns]:
        raise InputError(f"{path.name}, line 1: it has no column {missing[0]!r}; is it the file of CrowS-Pairs?")
    return _read(path, columns, rows, CROWS)


def winoqueer(path: Path) -> Questions:
    """Return the pairs of WinoQueer's file: its columns sent_x and sent_y."""
    columns, rows = rows_of(path)
    if not {"sent_x", "sent_y"} <= set(columns):
        raise InputError(f"{path.name}, line 1: it has no columns sent_x and sent_y; is it the file of WinoQueer?")
    return _read(path, columns, rows, WINOQUEER)


def own(path: Path) -> Questions:
    """Return the pairs of a table with two sentences and, optionally, id, category, direction, family and flags."""
    columns, rows = rows_of(path)
    return _read(path, columns, rows, OWN)


def _read(path: Path, columns: Sequence[str], rows: Sequence[Row], about: Mapping[str, str]) -> Questions:
    more, less = _sentences(path.name, columns)
    texts = Counter((cells[more], cells[less]) for _, cells in rows)

    def made(number: int, cells: Mapping[str, str]) -> dict[str, Any]:
        given = {name: _cell(cells, names) for name, names in _NAMES.items()}
        flags = [*_split(cells.get("flags", "")), *_faults(cells, more, less, texts)]
        pair = {"more": cells[more], "less": cells[less], "flags": flags}
        return {**pair, **{name: text for name, text in given.items() if text}, "id": given["id"] or str(number + 1)}

    items = items_of(rows, made)
    flagged = sum(bool(item["flags"]) for item in items)
    notices = [f"{flagged} of {len(items)} pairs have a known fault; measures come with and without them."]
    return Questions(items, named([path]), about, notices if flagged else [])


_NAMES = {"id": IDS, "category": CATEGORY, "direction": DIRECTION, "family": ("family",)}


def _sentences(name: str, columns: Sequence[str]) -> tuple[str, str]:
    """Return the columns of the two sentences; a table of two columns needs no known names."""
    more = next((one for one in MORE if one in columns), None)
    less = next((one for one in LESS if one in columns), None)
    if more and less:
        return more, less
    if len(columns) == 2:
        return columns[0], columns[1]
    raise InputError(
        f"{name}, line 1: which columns hold the two sentences? Name them more (the one that the stereotype favours)"
        f" and less; the columns are {', '.join(columns) or 'none'}."
    )


def _cell(cells: Mapping[str, str], names: Sequence[str]) -> str:
    return next((cells[name] for name in names if cells.get(name)), "")


def _split(text: str) -> list[str]:
    return [flag.strip() for flag in text.split(";") if flag.strip()]


def _faults(cells: Mapping[str, str], more: str, less: str, texts: Mapping[tuple[str, str], int]) -> list[str]:
    """Return the faults of Blodgett et al. 2021 (section 4) that the file itself shows."""
    found = []
    if texts[cells[more], cells[less]] > 1:
        found.append("appears twice")
    if _edits(cells[more], cells[less]) > 1:
        found.append("differs in several places")
    if cells.get("annotations") and _agreeing(cells) < FEWEST_AGREEING:
        found.append("type disputed by those who validated it")
    return found


def _edits(more: str, less: str) -> int:
    """Return in how many places the words differ."""
    matcher = SequenceMatcher(None, more.split(), less.split(), autojunk=False)
    return sum(kind != "equal" for kind, *_ in matcher.get_opcodes())


def _agreeing(cells: Mapping[str, str]) -> int:
    """Return how many validators gave the pair its type; enough of them if the cell cannot be read."""
    try:
        return sum(_cell(cells, CATEGORY) in one for one in ast.literal_eval(cells["annotations"]))
    except (ValueError, SyntaxError, TypeError):
        return FEWEST_AGREEING
