"""The words that fill templates without lists of their own: labels of groups, jobs, and names of people."""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from plumbline.methods.bbq.bank import folder, tables
from plumbline.methods.bbq.bank.collected_faults import Hold
from plumbline.methods.bbq.bank.targets import SEXES
from plumbline.spec.errors import InputError

LABELS, NAMES = "vocabulary", "vocabulary_proper_names"
LABEL_COLUMNS = ("Category", "Name")
NAME_COLUMNS = ("Name", "First_last", "gender", "ethnicity")
GIVEN, FAMILY, ALONE = "first", "last", "first_only"

Word = TypeVar("Word")


@dataclass(frozen=True, slots=True)
class Label:
    """The label of a group: Irish, of the region Europe; a truck driver, of lowSES."""

    category: str
    subcategory: str
    text: str
    info: str

    @property
    def code(self) -> str:
        return self.info or self.text

    def is_of(self, groups: Sequence[str]) -> bool:
        """Return whether a template's list names the label, by text, code or sex."""
        return not {self.text, self.code, SEXES.get(self.text, self.text)}.isdisjoint(groups)


@dataclass(frozen=True, slots=True)
class ProperName:
    """A given name or a surname. A given name that stands alone has no ethnicity."""

    text: str
    part: str
    gender: str
    ethnicity: str


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """All labels and names, in the order of their files."""

    labels: tuple[Label, ...] = ()
    names: tuple[ProperName, ...] = ()

    def of(self, category: str, subcategory: str = "") -> list[Label]:
        """Return the labels of a category; or those of the subcategory if it has any."""
        found = [label for label in self.labels if label.category == category]
        return [label for label in found if label.subcategory == subcategory and subcategory] or found

    def given(self, part: str = GIVEN) -> list[ProperName]:
        return [name for name in self.names if name.part == part]

    def surnames(self, ethnicity: str) -> list[str]:
        return [name.text for name in self.given(FAMILY) if name.ethnicity == ethnicity]


def read(home: Path) -> tuple[Vocabulary, list[str]]:
    """Return the tables in the folder of the templates, and notices.

    A missing table is empty. Raises InputError for a faulty one.
    """
    return read_files(folder.vocabulary_file(home, LABELS), folder.vocabulary_file(home, NAMES))


def read_files(
    labels: tables.File | None, names: tables.File | None, hold: Hold = nullcontext
) -> tuple[Vocabulary, list[str]]:
    """Return the tables as `read`; `hold` may collect all faults."""
    found, told = _words(labels, LABEL_COLUMNS, _label, hold)
    people, heard = _words(names, NAME_COLUMNS, _name, hold)
    return Vocabulary(found, people), [*told, *heard]


def _words(
    path: tables.File | None, columns: Sequence[str], word_of: Callable[[dict[str, str], str], Word | None], hold: Hold
) -> tuple[tuple[Word, ...], list[str]]:
    """Return each word once, and notices."""
    found: dict[Word, None] = {}
    notices: list[str] = []
    with hold():
        rows, notices = tables.rows(path, columns, hold) if path else ([], [])
        for place, cells in rows:
            with hold():
                if (word := word_of(cells, place)) is not None:
                    found[word] = None
    return tuple(found), notices


def _check_named(cells: dict[str, str], place: str) -> None:
    if not cells["Name"].strip():
        raise InputError(f"{place}: there is no name; fill the cell or take the line out.")


def _is_left_out(cells: dict[str, str]) -> bool:
    """Return whether the row is excluded: the authors tried some labels and dropped them."""
    return cells.get("Pilot_include", "").strip().lower() in ("no", "nein")


def _label(cells: dict[str, str], place: str) -> Label | None:
    """Return the label; None for an excluded one."""
    _check_named(cells, place)
    if _is_left_out(cells):
        return None
    told = (cells["Category"], cells.get("SubCat", ""), cells["Name"], cells.get("Info", ""))
    return Label(*(cell.strip() for cell in told))


def _name(cells: dict[str, str], place: str) -> ProperName:
    _check_named(cells, place)
    name = ProperName(*(cells[column].strip() for column in NAME_COLUMNS))
    if name.part not in (GIVEN, FAMILY, ALONE):
        raise InputError(f"{place}: First_last is {name.part!r}; write {GIVEN}, {FAMILY} or {ALONE}.")
    return name
