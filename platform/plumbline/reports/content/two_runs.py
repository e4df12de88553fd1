"""Two runs side by side: what the stored comparison says, the changes that were tested, and the words that differ."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.template.loader import render_to_string

from plumbline.audits.models import Comparison, ComparisonRequest, Run
from plumbline.audits.reuse import rows_not_asked_anew
from plumbline.desk.changed_words import Change, changes
from plumbline.desk.lost_contrasts import changed_others, lost_contrasts, other_lists, reworded_groups
from plumbline.desk.two_models import TwoModels, is_of_variant, two_models
from plumbline.desk.views.before_after import MEANINGS
from plumbline.desk.views.comparison import answer_to, fault_between
from plumbline.pages.model_names import ModelNames
from plumbline.pages.titles import title
from plumbline.results import before_after
from plumbline.spec.errors import InputError

MOST_CHANGES, MOST_WORDS = 40, 12


@dataclass(frozen=True, slots=True)
class TwoRuns:
    """The comparison of a later run with an earlier one. `comparison` is None if nobody requested it."""

    first: Run
    second: Run
    comparison: Comparison | ComparisonRequest | None
    counts: Sequence[tuple[str, int, str]]
    rows: Sequence[dict[str, Any]]
    words: Sequence[Change]
    not_compared: Sequence[str]
    """What the runs ask otherwise or copied, so that it is no change or was not compared, in sentences."""
    models: TwoModels | None
    """How the two models differ, for runs of two models."""
    are_unrelated: bool
    """Whether they are of two models of which neither is a variant that was made here."""

    @property
    def changes(self) -> int:
        return sum(number for _, number, _ in self.counts)

    @property
    def omitted(self) -> int:
        return self.changes - len(self.rows)


def two_runs(first: Run, second: Run) -> TwoRuns:
    """Return what is known of two runs together. Raises InputError if they cannot be compared."""
    if fault := fault_between(first, second):
        raise InputError(f"{fault[:1].lower()}{fault[1:]}")
    counts = before_after.outcome_counts(second.pk, first.pk)
    rows = before_after.differences(second.pk, first.pk, rows=MOST_CHANGES)
    return TwoRuns(
        first,
        second,
        answer_to(first, second)["comparison"],
        [(outcome, number, MEANINGS[outcome]) for outcome, number in counts.items() if number],
        [{**row, "label": _label(row)} for row in rows],
        changes(first, second),
        list(filter(None, _not_compared(first, second))),
        two_models(first, second, ModelNames()),
        first.model != second.model and not is_of_variant(first, second),
    )


def _not_compared(first: Run, second: Run) -> Iterator[str]:
    for sentence in (lost_contrasts, changed_others, reworded_groups, other_lists):
        yield sentence(first, second)
    if copied := rows_not_asked_anew(first, second):
        told = render_to_string("desk/reused_rows.html", {"later": second, "reused": copied})
        yield " ".join(told.split())


def _label(row: dict[str, Any]) -> str:
    groups = " minus ".join(row[name] for name in ("group_a", "group_b") if row.get(name))
    parts = (title(row["statistic"]), groups, *(row.get(name) for name in ("category", "condition", "attribute")))
    return ", ".join(str(one) for one in parts if one)
