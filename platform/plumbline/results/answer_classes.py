"""The classes of a run's answers in text, by the group that they are about."""

from collections.abc import Sequence
from dataclasses import dataclass

from plumbline.results.summary import measures, of_run
from plumbline.spec.answers.classes import BY_CLASS, REASONS, AnswerClass
from plumbline.spec.numbers import count

ORDER = {str(kind): place for place, kind in enumerate(AnswerClass)}


@dataclass(frozen=True, slots=True)
class ClassCount:
    """How many answers a class has; `reason` is how their records name it, empty if they name an option."""

    kind: str
    answers: int

    @property
    def reason(self) -> str:
        return REASONS.get(AnswerClass(self.kind), "")


@dataclass(frozen=True, slots=True)
class GroupClasses:
    """The answers about a group (empty: all), in the order of the classes."""

    group: str
    total: int
    counts: tuple[ClassCount, ...]

    @property
    def without_option(self) -> int:
        return sum(one.answers for one in self.counts if one.kind != AnswerClass.OPTION)


def answer_classes(run: int) -> list[GroupClasses]:
    """Return all answers first, then each group, that with the largest share without an option first."""
    found: dict[str, list[ClassCount]] = {}
    totals: dict[str, int] = {}
    for one in measures(of_run(run, BY_CLASS)):
        found.setdefault(one.group_a, []).append(ClassCount(one.attribute, int(one.value or 0)))
        totals[one.group_a] = one.n
    rows = [
        GroupClasses(group, totals[group], tuple(sorted(counts, key=lambda one: ORDER[one.kind])))
        for group, counts in found.items()
    ]
    return sorted(rows, key=lambda one: (bool(one.group), -one.without_option / one.total, one.group))


def class_lines(rows: Sequence[GroupClasses], most: int = 10) -> list[str]:
    """Return the counts as lines of text, of all answers and of the groups with the most answers without an option."""
    if not rows:
        return []
    lines = ["answers by class:", *(f"  {_line(row)}" for row in rows[: most + 1])]
    return [*lines, f"  and {count(len(rows) - most - 1)} more groups"] if len(rows) > most + 1 else lines


def _line(row: GroupClasses) -> str:
    counts = ", ".join(f"{one.kind} {count(one.answers)}" for one in row.counts if one.answers)
    return f"{row.group or 'all'} ({count(row.total)}): {counts}"
