"""Tables of the US Census Bureau: given names of 1990, and the thousand most frequent surnames of 2010."""

from typing import Any

from plumbline.methods.bbq.bank.collected_faults import Gathered
from plumbline.methods.bbq.proposals.name_counts import ASIAN, BLACK, LATINO, WHITE, Counted, name_of, number_of
from plumbline.methods.bbq.proposals.workbook import lines
from plumbline.spec.errors import InputError
from plumbline.vocab.bundles import Sent
from plumbline.vocab.csv_file import decode

SURNAME, COUNT = "surname", "frequency (count)"
SHARES = {
    WHITE: "percent non-hispanic or latino white alone",
    BLACK: "percent non-hispanic or latino black or african american alone",
    ASIAN: "percent non-hispanic or latino asian and native hawaiian and other pacific islander alone",
    LATINO: "percent hispanic or latino origin",
}
SUPPRESSED = "(S)"
"""The mark for a share of too few people to be published."""


def given_names(file: Sent) -> dict[str, float]:
    """Return the names, and the per cent of the people of that sex who bear each, the most frequent first.

    Lines are those of dist.female.first: name, share, cumulated share, rank. Raises FaultyTablesError with all
    faulty lines.
    """
    found: dict[str, float] = {}
    faults = Gathered()
    for number, line in enumerate(decode(file.name, file.data)[0].splitlines(), start=1):
        with faults.hold():
            if line.strip():
                name, share = _given(line, f"{file.name}, line {number}")
                found.setdefault(name, share)
    faults.check()
    if not found:
        raise InputError(f"{file.name} holds no name; fetch it again.")
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def _given(line: str, place: str) -> tuple[str, float]:
    parts = line.split()
    if len(parts) != 4:
        raise InputError(f"{place}: there are {len(parts)} cells instead of name, share, cumulated share and rank.")
    return name_of(parts[0], place), number_of(parts[1], place, "the share", 100)


def surnames(file: Sent) -> list[Counted]:
    """Return the surnames. Raises InputError for another table, FaultyTablesError with all faulty rows."""
    found: list[Counted] = []
    faults = Gathered()
    for place, cells in lines(file, (SURNAME, COUNT, *SHARES.values())):
        with faults.hold():
            shares = {one: _share(cells[column], place, column) for one, column in SHARES.items()}
            count = int(number_of(cells[COUNT], place, COUNT))
            found.append(Counted(name_of(cells[SURNAME], place), count, shares))
    faults.check()
    return found


def _share(cell: Any, place: str, column: str) -> float:
    return 0.0 if str(cell).strip() == SUPPRESSED else number_of(cell, place, column, 100) / 100
