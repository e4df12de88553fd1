"""From an example to the row of its template: by number, version and groups, since rows of a number may differ."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from plumbline.vocab.banks.bbq.lines import Line
from plumbline.vocab.banks.bbq.templates import Placed, Template

Told = tuple[str, tuple[str, ...], str, str, bool]


class Templates:
    """The rows by category and number; without any, every example goes without."""

    def __init__(self, rows: Iterable[Placed] = ()) -> None:
        self._rows: dict[tuple[str, str], list[Template]] = defaultdict(list)
        for _, row in rows:
            self._rows[row.category, row.number].append(row)

    def __bool__(self) -> bool:
        return bool(self._rows)

    def of(self, line: Line) -> Template | None:
        """The row of an example; None where there is none, or where several say different things of it."""
        rows = self._rows.get((line.category, line.question_index), [])
        groups = line.additional_metadata.stereotyped_groups
        fitting = [row for row in rows if row.intersectional or row.groups == groups]
        same = [row for row in fitting if row.version == line.version] or fitting
        return same[0] if same and _agree(same) else None


def _agree(rows: Sequence[Template]) -> bool:
    """Mirrored rows without a version say the same of what is joined."""
    return len({_told(row) for row in rows}) == 1


def _told(row: Template) -> Told:
    return row.value, row.stereotyped, row.second, row.notes, row.proper
