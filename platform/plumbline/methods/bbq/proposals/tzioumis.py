"""Given names and ethnicity among mortgage applicants (Tzioumis 2018, firstnames.xlsx)."""

from plumbline.methods.bbq.bank.collected_faults import Gathered
from plumbline.methods.bbq.proposals.name_counts import ASIAN, BLACK, LATINO, WHITE, Counted, name_of, number_of
from plumbline.methods.bbq.proposals.workbook import lines
from plumbline.vocab.bundles import Sent

NAME, COUNT = "firstname", "obs"
SHARES = {LATINO: "pcthispanic", WHITE: "pctwhite", BLACK: "pctblack", ASIAN: "pctapi"}
OTHERS = "all other first names"
"""The label of the last row, which is no name."""


def given_names(file: Sent) -> list[Counted]:
    """Return the names. Raises InputError for another table, FaultyTablesError with all faulty rows."""
    found: list[Counted] = []
    faults = Gathered()
    for place, cells in lines(file, (NAME, COUNT, *SHARES.values())):
        if str(cells[NAME]).strip().lower() == OTHERS:
            continue
        with faults.hold():
            shares = {one: number_of(cells[column], place, column, 100) / 100 for one, column in SHARES.items()}
            count = int(number_of(cells[COUNT], place, COUNT))
            found.append(Counted(name_of(cells[NAME], place), count, shares))
    faults.check()
    return found
