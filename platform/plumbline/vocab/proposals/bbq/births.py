"""New York City's table of births, as the other tables are told."""

from collections import Counter
from collections.abc import Mapping

from plumbline.vocab.banks.bbq.collected_faults import FaultyTablesError
from plumbline.vocab.banks.bbq.tables import Sent
from plumbline.vocab.faults import FaultyFileError
from plumbline.vocab.proposals.bbq.counted import ASIAN, BLACK, LATINO, WHITE, Counted
from plumbline.vocab.proposals.table import Cell, table_of

RACES = {"AS": ASIAN, "AA": BLACK, "HS": LATINO, "EA": WHITE}


def given_names(file: Sent, repeats: bool = False) -> list[Counted]:
    """`repeats` counts a row as often as it stands there. Raises InputError, FaultyTablesError with all faults."""
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
