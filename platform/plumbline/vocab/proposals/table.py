"""Table of baby names as New York City publishes it: year, gender, ethnicity, first name, count, rank."""

import csv
import gzip
import io
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from plumbline.spec.clean_text import fault_in, tidy
from plumbline.spec.errors import InputError
from plumbline.vocab.csv_file import decode, read_bytes
from plumbline.vocab.faults import Fault, FaultyFileError

COLUMNS = ("Year of Birth", "Gender", "Ethnicity", "Child's First Name", "Count")
RACES = {"ASIAN AND PACI": "AS", "HISPANIC": "HS", "BLACK NON HISP": "AA", "WHITE NON HISP": "EA"}
"""Race by the beginning of the ethnicity: some years cut it to 14 characters ("ASIAN AND PACI")."""
GENDERS = {"FEMALE": "F", "MALE": "M"}
MOST_UNPACKED = 20_000_000
MOST_ROWS = 200_000
LONGEST_NAME = 100
MOST_COUNT = 10**9

Cell = tuple[str, str]
"""Race and gender, as codes."""


@dataclass(frozen=True, slots=True)
class Table:
    """The number of children with each name, by race and gender."""

    counts: Mapping[str, Mapping[Cell, int]]
    """Counts by the name's most frequent spelling that is not in capitals, if there is one."""
    years: tuple[int, int]
    rows: int
    repeated: int
    """The number of rows that repeat an earlier one, in any case or length of the ethnicity. Each is kept once."""


@dataclass(frozen=True, slots=True)
class _Row:
    year: int
    cell: Cell
    name: str
    count: int
    rank: str


def read_table(path: Path) -> Table:
    """Return the table of a file. Raises InputError as `table_of`, naming the file."""
    return table_of(path.name, read_bytes(path))


def table_of(name: str, data: bytes, repeats: bool = False) -> Table:
    """Return the table of a CSV, or of its gzip, by that name. `repeats` counts each repeated row again.

    Raises InputError for another table, FaultyFileError with all faulty lines.
    """
    text = decode(name, _unpacked(name, data) if data.startswith(b"\x1f\x8b") else data)[0]
    faults: list[Fault] = []
    rows = list(_rows(name, text, faults))
    if faults:
        raise FaultyFileError(faults, name)
    if not rows:
        raise InputError(f"{name} has no row under its header; fetch the table again.")
    once = list({(row.year, row.cell, row.name.lower(), row.count, row.rank): row for row in rows}.values())
    kept = rows if repeats else once
    years = [row.year for row in kept]
    return Table(_counts(kept, _spellings(rows)), (min(years), max(years)), len(rows), len(rows) - len(once))


def _unpacked(name: str, data: bytes) -> bytes:
    try:
        with gzip.open(io.BytesIO(data)) as file:
            text = file.read(MOST_UNPACKED + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{name} cannot be unpacked ({error}); fetch it again.") from None
    if len(text) > MOST_UNPACKED:
        raise InputError(f"{name} unpacks to more than {MOST_UNPACKED // 1_000_000} MB; is it a table of names?")
    return text


def _rows(name: str, text: str, faults: list[Fault]) -> Iterator[_Row]:
    reader = csv.DictReader(io.StringIO(text, newline=""))
    header = [(cell or "").strip() for cell in reader.fieldnames or ()]
    if missing := [column for column in COLUMNS if column not in header]:
        raise InputError(
            f"{name} has no column {missing[0]!r}; the columns are {', '.join(COLUMNS)}, as in NYC's table."
        )
    reader.fieldnames = header
    try:
        for cells in reader:
            if reader.line_num > MOST_ROWS:
                raise InputError(f"{name} has more than {MOST_ROWS:,} rows; cut it to the years that you need.")
            try:
                yield _row(cells)
            except InputError as error:
                faults.append(Fault(reader.line_num, str(error)))
    except csv.Error as error:
        faults.append(Fault(reader.line_num, f"{error}; check the quotes"))


def _row(cells: Mapping[str, str | None]) -> _Row:
    texts = {column: tidy(cells.get(column) or "") for column in (*COLUMNS, "Rank")}
    year, count, name = texts["Year of Birth"], texts["Count"], texts["Child's First Name"]
    ethnicity, gender = texts["Ethnicity"].upper(), texts["Gender"].upper()
    race = next((code for begins, code in RACES.items() if ethnicity.startswith(begins)), "")
    if not race:
        raise InputError(f"unknown ethnicity {ethnicity[:40]!r}; the known ones begin with {', '.join(RACES)}")
    if gender not in GENDERS:
        raise InputError(f"unknown gender {gender[:40]!r}; the known ones are {', '.join(GENDERS)}")
    if not _is_number(year, 9999) or not _is_number(count, MOST_COUNT):
        raise InputError(f"year {year[:20]!r} and count {count[:20]!r} must be whole numbers")
    if not name or len(name) > LONGEST_NAME:
        raise InputError(f"the name is empty or longer than {LONGEST_NAME} characters")
    if fault := fault_in(name):
        raise InputError(f"the name {fault}")
    return _Row(int(year), (race, GENDERS[gender]), name, int(count), texts["Rank"])


def _is_number(text: str, most: int) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= len(str(most)) and int(text) <= most


def _spellings(rows: list[_Row]) -> dict[str, str]:
    """Return the display form of each name: the most frequent that is not in capitals, else with one first capital."""
    written: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        if row.name.upper() != row.name:
            written[row.name.lower()][row.name] += 1
    usual = {name: max(sorted(counts), key=counts.__getitem__) for name, counts in written.items()}
    return {row.name.lower(): usual.get(row.name.lower(), row.name.capitalize()) for row in rows}


def _counts(rows: list[_Row], spellings: Mapping[str, str]) -> dict[str, dict[Cell, int]]:
    counts: dict[str, Counter[Cell]] = defaultdict(Counter)
    for row in rows:
        counts[spellings[row.name.lower()]][row.cell] += row.count
    return {name: dict(cells) for name, cells in sorted(counts.items())}
