"""Where else a mitigation may have moved a bias: runs of both models with the same plan, by other methods and plans."""

from dataclasses import dataclass

from plumbline.audits.models import Run
from plumbline.desk.mitigation_pairs import alike_pairs, question_of
from plumbline.results import before_after
from plumbline.spec.registry import PROBES

WORSE = ("new", "stronger", "reversed")
MOST_PLANS = 20


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Two runs of another plan on both models, and how many of their figures have each outcome."""

    title: str
    first: Run
    second: Run
    counts: dict[str, int]

    @property
    def compared(self) -> int:
        return sum(self.counts.values())

    @property
    def worse(self) -> int:
        """How many figures are new, stronger or reversed."""
        return sum(self.counts[outcome] for outcome in WORSE)


def elsewhere(first: Run, second: Run) -> list[Elsewhere]:
    """Return one pair of runs for each other question that both models were asked; those with worse outcomes first."""
    if first.model == second.model:
        return []
    judged = [probe for probe in PROBES if any(one.scale for one in PROBES[probe].card.statistics)]
    own = {question_of(first), question_of(second)}
    pairs = [pair for pair in alike_pairs(judged, first.model, second.model) if question_of(pair[1]) not in own]
    return sorted(map(_of_pair, pairs), key=lambda one: (-one.worse, -one.second.pk))[:MOST_PLANS]


def _of_pair(pair: tuple[Run, Run]) -> Elsewhere:
    before, later = pair
    counts = before_after.outcome_counts(later.pk, before.pk)
    return Elsewhere(PROBES[later.probe].card.title, before, later, counts)
