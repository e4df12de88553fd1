"""How many differences between groups are stronger on one of two models than on the other."""

from dataclasses import dataclass

from plumbline.audits.models import Run
from plumbline.findings.contrasts import are
from plumbline.pages.model_names import ModelNames
from plumbline.results.before_after import Direction, directions
from plumbline.spec.association import AssociationSpec
from plumbline.spec.numbers import counted
from plumbline.spec.reference import Scheme
from plumbline.spec.registry import PROBES

LIMITS = (
    "Each was tested on its own, so a few may be by chance. This is a count: no test says which model is"
    " more stereotyped as a whole, and a model whose scores spread more has more large differences."
)


@dataclass(frozen=True, slots=True)
class TwoModels:
    """What a page says of runs of two models: the counts in sentences. The same two runs have the same counts.

    They do not depend on which of the two is subtracted.
    """

    sentence: str
    limits: str = LIMITS


def is_of_groups(run: Run) -> bool:
    """Return whether the run scores groups with attributes, so that its figures are differences between two groups."""
    return run.probe in PROBES and issubclass(PROBES[run.probe].spec, AssociationSpec)


def is_of_variant(first: Run, second: Run) -> bool:
    """Return whether one of the two models is a variant that was made here, so that "before" and "after" are words."""
    return any(run.model.startswith(f"{Scheme.VARIANT}:") for run in (first, second))


def two_models(first: Run, second: Run, names: ModelNames) -> TwoModels | None:
    """Return the counts for runs of two models, or None for runs of one model or without compared differences."""
    if first.model == second.model or not is_of_groups(second):
        return None
    found = directions(second.pk, first.pk)
    if not (number := sum(found.values())):
        return None
    stronger = found[Direction.STRONGER], found[Direction.WEAKER], found[Direction.OPPOSITE]
    told = (
        f"Both runs measured {counted(number, 'difference')} between groups on single words. The models differ"
        f" significantly in {sum(stronger):,} of these: {are(stronger[0])} stronger on {names.name(second.model)},"
        f" {are(stronger[1])} stronger on {names.name(first.model)}, and in {stronger[2]:,} the models lean to opposite"
        f" groups. {are(found[Direction.ALIKE])} shown to differ by less than the smallest effect that matters, and for"
        f" {found[Direction.UNDECIDED]:,} nothing is decided."
    )
    return TwoModels(told)
