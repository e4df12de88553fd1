"""Rows of words under a header, from any kind of file."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from plumbline.spec.errors import InputError
from plumbline.spec.numbers import counted
from plumbline.vocab.faults import Fault, FaultyFileError

MOST_ROWS = 100_000


@dataclass(frozen=True, slots=True)
class Row:
    """One line of data with the number at which it starts in the file. Columns that the file lacks are absent."""

    line: int
    cells: dict[str, str]
    unit: str = "line"

    def fault(self, text: str) -> Fault:
        return Fault(self.line, text, self.unit)


@dataclass(slots=True)
class Sheet:
    """The rows of a file, its faults, and notices for its owner."""

    rows: list[Row] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)

    def add(self, row: Row) -> None:
        """Add a row. Raises InputError for one row too many."""
        self._make_room()
        self.rows.append(row)

    def blame(self, fault: Fault) -> None:
        """Add a row that could not be read. Raises InputError for one row too many."""
        self._make_room()
        self.faults.append(fault)

    def _make_room(self) -> None:
        if len(self.rows) + len(self.faults) == MOST_ROWS:
            raise InputError(f"there are more than {MOST_ROWS:,} rows; split the file.")

    def checked(self) -> list[Row]:
        """Return the rows. Raises FaultyFileError if any could not be read."""
        if self.faults:
            raise FaultyFileError(self.faults)
        return self.rows


def check_header(header: Sequence[str], required: str, known: Sequence[str]) -> None:
    """Raise InputError unless `required` is there, all columns are known and none is repeated."""
    if required not in header:
        raise InputError(
            f"the header has no column {required!r}: the first line names the columns, which may be {', '.join(known)}"
        )
    if foreign := [column for column in header if column not in known]:
        raise InputError(f"unknown column {foreign[0]!r}; the columns are {', '.join(known)}")
    if double := [column for column in header if header.count(column) > 1]:
        raise InputError(f"the column {double[0]!r} appears twice")


def wrong_width(cells: int, header: int) -> str:
    return f"{counted(cells, 'cell')} under a header of {header}; quote cells that hold the delimiter"


def fill(
    sheet: Sheet, header: Sequence[str], lines: Iterable[tuple[int, Sequence[str]]], text_of: Callable[[str], str]
) -> None:
    """Add the lines of cells under the header to the sheet; `text_of` returns a cell's text or raises InputError."""
    for line, cells in lines:
        try:
            if len(cells) != len(header):
                raise InputError(wrong_width(len(cells), len(header)))
            texts = map(text_of, cells)
            row = Row(line, dict(zip(header, texts, strict=True)))
        except InputError as error:
            sheet.blame(Fault(line, str(error)))
        else:
            sheet.add(row)


def check_filled(sheet: Sheet) -> None:
    """Raise InputError for a file without data."""
    if not sheet.rows and not sheet.faults:
        raise InputError("there is no row under the header; give at least one entry.")
