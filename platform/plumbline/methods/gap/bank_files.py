"""GAP's files: tab-separated, a header, one passage a line; plain or gzip."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from plumbline.spec.banks.passages import Passage
from plumbline.spec.errors import InputError
from plumbline.spec.faults import in_one_line
from plumbline.vocab.banks.reading import Questions, named
from plumbline.vocab.banks.text_file import text_of

ABOUT = {
    "title": "GAP: gendered ambiguous pronouns",
    "source": "Webster, Recasens, Axelrod and Baldridge 2018, Mind the GAP; google-research-datasets/gap-coreference",
    "licence": "Apache-2.0",
    "origin": "English Wikipedia, 2018",
}
COLUMNS = {
    "ID": "id",
    "Text": "text",
    "Pronoun": "pronoun",
    "Pronoun-offset": "pronoun_offset",
    "A": "a",
    "A-offset": "a_offset",
    "A-coref": "a_coref",
    "B": "b",
    "B-offset": "b_offset",
    "B-coref": "b_coref",
    "URL": "url",
}
TRUTHS = {"TRUE": True, "FALSE": False}
SUFFIXES = (".tsv", ".tsv.gz")


def questions(path: Path) -> Questions:
    """The passages of a GAP file, or of a folder's files. Raises InputError as `gap_files` and `read`."""
    files = gap_files(path)
    return Questions(read(files), named(files), ABOUT)


def gap_files(path: Path) -> list[Path]:
    """The file, or those of the folder in the order of their names. InputError if there is none."""
    if path.is_file():
        return [path]
    files = sorted(file for file in path.glob("*") if file.name.endswith(SUFFIXES) and file.is_file())
    if not files:
        what = "holds no .tsv or .tsv.gz file" if path.is_dir() else "does not exist"
        raise InputError(f"{path} {what}: name a file of GAP, or a folder of them.")
    return files


def read(files: list[Path]) -> list[dict[str, Any]]:
    """The passages of all files in their order, checked. InputError naming file and line of the first fault."""
    seen: dict[str, str] = {}
    found = []
    for path in files:
        for place, passage in _passages(path):
            if (first := seen.setdefault(passage.id, place)) != place:
                raise InputError(f"{place}: the ID {passage.id!r} is already at {first}; keep one.")
            found.append(passage.model_dump())
    return found


def _passages(path: Path) -> Iterator[tuple[str, Passage]]:
    lines = text_of(path).split("\n")
    if lines[0].rstrip("\r").split("\t") != list(COLUMNS):
        raise InputError(f"{path.name}, line 1: the columns are not those of GAP: {', '.join(COLUMNS)}.")
    for number, line in enumerate(lines[1:], start=2):
        if line.strip():
            place = f"{path.name}, line {number}"
            yield place, _passage(line.rstrip("\r"), place)


def _passage(line: str, place: str) -> Passage:
    cells = line.split("\t")
    if len(cells) != len(COLUMNS):
        raise InputError(f"{place}: {len(cells)} columns instead of {len(COLUMNS)}; correct the line.")
    try:
        return Passage.model_validate(_values(dict(zip(COLUMNS.values(), cells, strict=True))))
    except ValidationError as error:
        raise InputError(f"{place}: {in_one_line(error)}") from None
    except ValueError as error:
        raise InputError(f"{place}: {error}; correct the line.") from None


def _values(cells: Mapping[str, str]) -> dict[str, Any]:
    """Offsets as numbers, marks as truths. ValueError for one that is neither."""
    values: dict[str, Any] = dict(cells)
    for name in ("pronoun_offset", "a_offset", "b_offset"):
        if not (cells[name].isascii() and cells[name].isdecimal()):
            raise ValueError(f"{name} {cells[name]!r} is no number")
        values[name] = int(cells[name])
    for name in ("a_coref", "b_coref"):
        if cells[name] not in TRUTHS:
            raise ValueError(f"{name} {cells[name]!r} is neither TRUE nor FALSE")
        values[name] = TRUTHS[cells[name]]
    return values
