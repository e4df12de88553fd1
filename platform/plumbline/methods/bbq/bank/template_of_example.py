"""The row of an example's template: by number, version and groups, since rows of a number may differ."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from plumbline.methods.bbq.bank.lines import Line
from plumbline.methods.bbq.bank.templates import Placed, Template

JoinedFields = tuple[str, tuple[str, ...], str, str, bool]


class Templates:
    """The rows by category and number. Without any, no example has a row."""

    def __init__(self, rows: Iterable[Placed] = ()) -> None:
        self._rows: dict[tuple[str, str], list[Template]] = defaultdict(list)
        for _, row in rows:
            self._rows[row.category, row.number].append(row)

    def __bool__(self) -> bool:
        return bool(self._rows)

    def of(self, line: Line) -> Template | None:
        """Return the row of an example; None if there is none, or if several rows contradict each other."""
        rows = self._rows.get((line.category, line.question_index), [])
        groups = line.additional_metadata.stereotyped_groups
        fitting = [row for row in rows if row.intersectional or row.groups == groups]
        same = [row for row in fitting if row.version == line.version] or fitting
        return same[0] if same and _agree(same) else None


def _agree(rows: Sequence[Template]) -> bool:
    """Return whether the rows agree on the joined fields, as mirrored rows without a version do."""
    return len({_joined_fields(row) for row in rows}) == 1


def _joined_fields(row: Template) -> JoinedFields:
    return row.value, row.stereotyped, row.second, row.notes, row.proper
