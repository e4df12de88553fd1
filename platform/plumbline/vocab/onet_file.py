"""O*NET's "Technology Skills.txt" as attributes: tab-separated, one row for each occupation and skill."""

import csv
from collections import Counter
from collections.abc import Sequence

from plumbline.spec.clean_text import tidy
from plumbline.vocab import csv_file
from plumbline.vocab.sheet import Row, Sheet

OCCUPATION, COMMODITY = "o*net-soc code", "commodity title"
SKILL = ("example", "t2 example", "workplace example")
"""The names that releases give the column of skills."""
OTHER = ("title", "t2 type", "commodity code", "hot technology", "in demand")


def is_onet(text: str) -> bool:
    """Return whether the first line of a text is the header of O*NET's file."""
    return OCCUPATION in _header(text) and _skill_column(text) is not None


def read(text: str) -> Sheet:
    """Return each distinct skill as a row, in the file's order.

    The commodity of a skill is its category and its family: skills of one commodity, such as "Spreadsheet software",
    are no independent observations. A skill with several commodities keeps the first. The note counts occupations,
    and a notice gives the numbers of rows and of distinct skills. Raises InputError as `csv_file.read`.
    """
    skill = _skill_column(text) or SKILL[0]
    found = csv_file.read(text, skill, (OCCUPATION, COMMODITY, *SKILL, *OTHER))
    rows = [row for row in found.rows if tidy(row.cells[skill])]
    occupations = Counter(tidy(row.cells[skill]) for row in rows)
    first = {tidy(row.cells[skill]): row for row in reversed(rows)}
    distinct = [_attribute(word, first[word], times) for word, times in occupations.items()]
    return Sheet(distinct, found.faults, [*found.notices, _notice(len(rows), distinct)])


def _attribute(word: str, row: Row, occupations: int) -> Row:
    commodity = tidy(row.cells.get(COMMODITY, ""))
    told = f"{occupations} occupation{'' if occupations == 1 else 's'}"
    return Row(row.line, {"text": word, "category": commodity, "family": commodity, "note": told}, row.unit)


def _notice(rows: int, distinct: Sequence[Row]) -> str:
    families = len({row.cells["family"] for row in distinct})
    return (
        f"{rows:,} rows name {len(distinct):,} distinct skills of {families:,} commodities. Kurita et al. 2019 count"
        " 17,649 skills in O*NET 23.2; another release has other numbers."
    )


def _header(text: str) -> list[str]:
    line = text.lstrip().split("\n", 1)[0]
    return [cell.strip().lower() for cell in next(csv.reader([line], delimiter="\t"), [])]


def _skill_column(text: str) -> str | None:
    return next((column for column in SKILL if column in _header(text)), None)
