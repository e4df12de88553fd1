"""Findings of CEAT runs: effect sizes, groups between pairs of opposites, and agreement with people."""

from django.db.models.functions import Abs

from plumbline.analyses.alignment.findings import WRITERS, of_people
from plumbline.analyses.word_sets.findings import finding_sentence, of_effects
from plumbline.audits.models import Run
from plumbline.findings.by_method import MethodFindings
from plumbline.findings.contrasts import ALPHA, alpha_of
from plumbline.findings.sentences import Sentence
from plumbline.results.summary import PRESENT, measures, of_run
from plumbline.spec.measure import Measure
from plumbline.spec.numbers import with_uncertainty

MOST_TOLD = 3


def of_word_sets(run: Run) -> list[Sentence]:
    """Return effect sizes, then groups on pairs of opposites."""
    return [*of_effects(run), *of_groups(run.pk, run.model, alpha_of(run.spec))]


def of_groups(run: int, model: str, alpha: float = ALPHA) -> list[Sentence]:
    """Return the findings on each group on each pair of opposites, compared with the other groups."""
    cells = of_run(run, "ceat_difference").filter(value__isnull=False).exclude(verdict="")
    compared = cells.count()
    if not compared:
        return []
    beyond = cells.filter(PRESENT)
    strongest = measures(beyond.order_by(Abs("value").desc(), "group_a", "attribute")[:MOST_TOLD])
    counted = (
        f"Of {compared} differences of a group from the others on a pair of opposites, {beyond.count()} are shown"
        f" to differ from zero (q < {alpha:g})."
    )
    return [*((pole_sentence(model, one), with_uncertainty(one)) for one in strongest), (counted, "")]


def pole_sentence(model: str, one: Measure) -> str:
    left, _, right = one.attribute.partition(" - ")
    near, far = (right, left) if (one.value or 0) > 0 else (left, right)
    side = f"nearer to \u201c{near}\u201d than to \u201c{far}\u201d"
    return f"{model} places {one.group_a} {side}, compared with the others."


FINDINGS = MethodFindings(
    pages={"run_effects": of_word_sets, "alignment": lambda run: of_people(run.pk, run.model)},
    writers={
        "combined_effect_size": finding_sentence,
        "ceat_difference": lambda run, one: pole_sentence(run.model, one),
        **WRITERS,
    },
)
