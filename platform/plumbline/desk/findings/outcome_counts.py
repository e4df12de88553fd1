"""How many findings of a run are new, as before, changed, gone or dismissed, for the page of the run."""

from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from plumbline.audits.models import Run
from plumbline.findings.concerning import observed_in, shown_in
from plumbline.findings.models import Observation, Outcome, State

WORDS = {
    Outcome.NEW: "new",
    Outcome.STILL: "as before",
    Outcome.STRONGER: "stronger",
    Outcome.WEAKER: "weaker",
    Outcome.REVERSED: "reversed",
    Outcome.BACK: "back",
    Outcome.UNDECIDED: "undecided or small",
    Outcome.GONE: "gone",
    Outcome.OTHER_WORDS: "asked in other words or groups",
    Outcome.NOT_MEASURED: "not measured",
}
"""What a count says of each outcome, in the order of the counts."""


@dataclass(frozen=True, slots=True)
class OutcomeCount:
    """The number of findings with one outcome in the run, and the words for it."""

    outcome: str
    words: str
    count: int


def outcome_counts(run: Run) -> list[OutcomeCount]:
    """Return the number of findings by what the run shows about them. One query."""
    rows = _own(run).order_by().values_list("outcome").annotate(count=Count("pk"))
    found = dict(rows)
    return [OutcomeCount(one.value, words, found[one]) for one, words in WORDS.items() if one in found]


def dismissed_count(run: Run) -> int:
    """Return how many findings that the run shows are dismissed, as the list counts them. One query."""
    return shown_in(run.pk).filter(finding__state=State.DISMISSED).count()


def added_groups_of_new(run: Run, added: Collection[str]) -> list[str]:
    """Return the added groups that the new findings are about, none if one is about groups of before only."""
    new = _own(run).filter(outcome=Outcome.NEW)
    of_added = Q(finding__group_a__in=added) | Q(finding__group_b__in=added)
    if not added or new.exclude(of_added).exists():
        return []
    pairs = new.order_by().values_list("finding__group_a", "finding__group_b").distinct()
    named = {group for pair in pairs for group in pair}
    return [group for group in added if group in named]


def _own(run: Run) -> QuerySet[Observation]:
    return observed_in(run.pk).filter(finding__pinned_name="")
