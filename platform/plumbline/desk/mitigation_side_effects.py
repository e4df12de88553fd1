"""Where else a mitigation may have moved a bias: runs of both models with the same plan, by other methods and plans."""

from collections.abc import Iterator
from dataclasses import dataclass

from plumbline.audits.models import Run
from plumbline.desk.mitigation_costs import finished, plan_of
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
    """Return the latest two runs of each other plan that was run on both models; those with worse outcomes first."""
    if first.model == second.model:
        return []
    judged = [probe for probe in PROBES if any(one.scale for one in PROBES[probe].card.statistics)]
    found = [one for probe in judged for one in _of_method(probe, first, second)]
    return sorted(found, key=lambda one: (-one.worse, -one.second.pk))[:MOST_PLANS]


def _of_method(probe: str, first: Run, second: Run) -> Iterator[Elsewhere]:
    earlier = finished(probe, first.model)
    plans = [plan_of(first.spec), plan_of(second.spec)]
    for later in finished(probe, second.model):
        plan = plan_of(later.spec)
        before = next((one for one in earlier if plan_of(one.spec) == plan), None)
        if before and plan not in plans:
            plans.append(plan)
            yield Elsewhere(PROBES[probe].card.title, before, later, before_after.outcome_counts(later.pk, before.pk))
