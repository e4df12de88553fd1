"""How many differences between groups are stronger on one of two models than on the other."""

from dataclasses import dataclass

from plumbline.audits.models import Run
from plumbline.results.before_after import outcome_counts
from plumbline.spec.association import AssociationSpec
from plumbline.spec.registry import PROBES


@dataclass(frozen=True, slots=True)
class TwoModels:
    """Numbers of differences that both runs measured, by how they differ from the first model to the second."""

    stronger_on_second: int
    stronger_on_first: int
    of_other_sign: int
    alike: int
    undecided: int

    @property
    def all(self) -> int:
        return self.stronger_on_second + self.stronger_on_first + self.of_other_sign + self.alike + self.undecided


def is_of_groups(run: Run) -> bool:
    """Return whether the run scores groups with attributes, so that its figures are differences between two groups."""
    return run.probe in PROBES and issubclass(PROBES[run.probe].spec, AssociationSpec)


def two_models(first: Run, second: Run) -> TwoModels | None:
    """Return the numbers for runs of two models, or None for runs of one model or without compared differences.

    One that only one of the models shows counts as stronger on it. Each of these rests on a tested difference of the
    two, as the page "Before and after" says.
    """
    if first.model == second.model or not is_of_groups(second):
        return None
    found = outcome_counts(second.pk, first.pk)
    counts = TwoModels(
        stronger_on_second=found["new"] + found["stronger"],
        stronger_on_first=found["gone"] + found["weaker"],
        of_other_sign=found["reversed"],
        alike=found["unchanged"],
        undecided=found["undecided"] + found["changed"],
    )
    return counts if counts.all else None
