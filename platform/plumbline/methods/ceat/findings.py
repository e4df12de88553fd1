"""Findings of CEAT runs: effect sizes, groups between pairs of opposites, and agreement with people."""

from collections import Counter
from typing import Any

from django.db.models import QuerySet
from django.db.models.functions import Abs

from plumbline.analyses.alignment.findings import WRITERS, of_people
from plumbline.analyses.word_sets.findings import finding_sentence, of_effects
from plumbline.audits.models import Run
from plumbline.findings.by_method import MethodFindings
from plumbline.findings.contrasts import ALPHA, alpha_of, are
from plumbline.findings.sentences import Sentence, group_name
from plumbline.methods.ceat.spec import FEWEST_TESTED
from plumbline.results.summary import PRESENT, measures, of_run
from plumbline.spec.measure import OTHER_GROUPS, Measure
from plumbline.spec.numbers import counted, with_uncertainty
from plumbline.spec.verdicts import Verdict

MOST_TOLD = 3


def of_word_sets(run: Run) -> list[Sentence]:
    """Return effect sizes, then groups on pairs of opposites."""
    return [*of_effects(run), *of_groups(run.pk, run.model, alpha_of(run.spec))]


def of_groups(run: int, model: str, alpha: float = ALPHA) -> list[Sentence]:
    """Return the findings on each group on each pair of opposites, compared with the other groups."""
    cells = of_run(run, "ceat_difference").filter(value__isnull=False).exclude(verdict="")
    verdicts = Counter(cells.values_list("verdict", flat=True))
    if not verdicts:
        return []
    strongest = measures(cells.filter(PRESENT).order_by(Abs("value").desc(), "group_a", "attribute")[:MOST_TOLD])
    told = [(pole_sentence(model, one), with_uncertainty(one)) for one in strongest]
    is_rare = verdicts[Verdict.NOT_TESTABLE] == cells.filter(p_value__isnull=True).count()
    why = f": a word has fewer than {FEWEST_TESTED} sentences in the corpus" if is_rare else ""
    return [*told, (_counted(verdicts, _apart(cells), why, alpha), "")]


def _apart(cells: QuerySet[Any]) -> str:
    group, other = cells.values_list("group_a", "group_b")[:1][0]
    return "of a group from the others" if other == OTHER_GROUPS else f"between {group} and {other}"


def _counted(verdicts: Counter[str], apart: str, why: str, alpha: float) -> str:
    compared = f"{counted(verdicts.total(), 'difference')} {apart} on a pair of opposites"
    if set(verdicts) == {Verdict.NOT_TESTABLE}:
        return f"None of {compared} can be tested{why}. The figures describe the sentences of this corpus only."
    present, absent, undecided = (verdicts[one] for one in (Verdict.PRESENT, Verdict.ABSENT, Verdict.UNDECIDED))
    more = [
        f" {are(absent)} shown to be smaller than the smallest effect." if absent else "",
        f" {are(undecided)} undecided." if undecided else "",
        f" {untested:,} cannot be tested{why}." if (untested := verdicts[Verdict.NOT_TESTABLE]) else "",
    ]
    return f"Of {compared}, {are(present)} shown to differ from zero (q < {alpha:g}).{''.join(more)}"


def pole_sentence(model: str, one: Measure) -> str:
    left, _, right = one.attribute.partition(" - ")
    near, far = (right, left) if (one.value or 0) > 0 else (left, right)
    side = f"nearer to \u201c{near}\u201d than to \u201c{far}\u201d"
    return f"{model} places {one.group_a} {side}, compared with {group_name(one.group_b)}."


FINDINGS = MethodFindings(
    pages={"run_effects": of_word_sets, "alignment": lambda run: of_people(run.pk, run.model)},
    writers={
        "combined_effect_size": finding_sentence,
        "ceat_difference": lambda run, one: pole_sentence(run.model, one),
        **WRITERS,
    },
)
