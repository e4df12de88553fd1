"""Two further tables: names more frequent among Chinese Americans (Bartz 2009), and the prestige of jobs (NORC)."""

from dataclasses import dataclass

from plumbline.methods.bbq.bank import tables
from plumbline.methods.bbq.bank.collected_faults import Gathered
from plumbline.methods.bbq.proposals.name_counts import name_of, number_of
from plumbline.methods.bbq.proposals.workbook import lines
from plumbline.spec.clean_text import tidy
from plumbline.spec.errors import InputError
from plumbline.vocab.bundles import Sent

PRESTIGE, LABEL = "prestige", "label"


@dataclass(frozen=True, slots=True)
class Job:
    """An occupation with its prestige from 0 to 100 (Nakao and Treas 1994)."""

    label: str
    prestige: float


def bartz(file: Sent) -> dict[str, str]:
    """Return F or M by name. Raises InputError for another table, FaultyTablesError with all faulty lines."""
    found: dict[str, str] = {}
    faults = Gathered()
    for place, cells in tables.rows(file, ("gender", "name"), faults.hold)[0]:
        with faults.hold():
            if (gender := cells["gender"].strip().upper()) not in ("F", "M"):
                raise InputError(f"{place}: gender is {gender[:40]!r}; write F or M.")
            found.setdefault(name_of(cells["name"], place), gender)
    faults.check()
    return found


def jobs(file: Sent) -> list[Job]:
    """Return each label once, the least prestigious first. Raises as `bartz`."""
    found: dict[str, Job] = {}
    faults = Gathered()
    for place, cells in lines(file, (PRESTIGE, LABEL)):
        with faults.hold():
            label = tidy(str(cells[LABEL] or ""))
            if not label or len(label) > 200:
                raise InputError(f"{place}: the label is empty or longer than 200 characters.")
            found.setdefault(label, Job(label, number_of(cells[PRESTIGE], place, PRESTIGE, 100)))
    faults.check()
    return sorted(found.values(), key=lambda job: (job.prestige, job.label))
