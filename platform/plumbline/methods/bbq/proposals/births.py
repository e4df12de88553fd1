"""New York City's table of births, in the form of the other tables."""

from collections import Counter
from collections.abc import Mapping

from plumbline.methods.bbq.bank.collected_faults import FaultyTablesError
from plumbline.methods.bbq.proposals.name_counts import ASIAN, BLACK, LATINO, WHITE, Counted
from plumbline.vocab.bundles import Sent
from plumbline.vocab.faults import FaultyFileError
from plumbline.vocab.proposals.table import Cell, table_of

RACES = {"AS": ASIAN, "AA": BLACK, "HS": LATINO, "EA": WHITE}


def given_names(file: Sent, repeats: bool = False) -> list[Counted]:
    """Return the names.

    `repeats` counts each repeated row again. Raises InputError, FaultyTablesError with all faults.
    """
    try:
        table = table_of(file.name, file.data, repeats)
    except FaultyFileError as error:
        raise FaultyTablesError([f"{file.name}, {fault}" for fault in error.faults]) from None
    return [_counted(name, counts) for name, counts in table.counts.items() if any(counts.values())]


def _counted(name: str, counts: Mapping[Cell, int]) -> Counted:
    total = sum(counts.values())
    races: Counter[str] = Counter()
    genders: Counter[str] = Counter()
    for (race, gender), count in counts.items():
        races[RACES[race]] += count
        genders[gender] += count
    return Counted(name, total, {race: count / total for race, count in races.items()}, genders.most_common(1)[0][0])
