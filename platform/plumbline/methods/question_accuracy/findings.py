"""Findings of the accuracy on multiple-choice questions, and what a mitigation costs in it."""

from plumbline.audits.models import Run
from plumbline.findings.by_method import MethodFindings
from plumbline.findings.costs import accuracy_change
from plumbline.findings.sentences import Sentence
from plumbline.methods.question_accuracy.card import CHANCE, LONGEST
from plumbline.results.summary import measures, of_run
from plumbline.spec.measure import Measure
from plumbline.spec.shared_statistics import ACCURACY


def of_questions(run: Run) -> list[Sentence]:
    """Return the sentence on the accuracy, and how it compares with guessing."""
    found = {one.condition: one for one in measures(of_run(run.pk, ACCURACY.name))}
    own = found.get("")
    if own is None:
        return []
    if own.value is None:
        return [(f"Nothing can be said of how {run.model} answers these questions: {own.reason}.", "")]
    return [(_sentence(run.model, own), ""), *((one, "") for one in _beside(own, found))]


def _sentence(model: str, one: Measure) -> str:
    interval = "" if one.ci_low is None else f" [{one.ci_low:.1%}, {one.ci_high:.1%}]"
    return f"{model} answers {one.value:.1%}{interval} of {one.n:,} questions about {one.n_units:,} contexts right."


def _beside(own: Measure, found: dict[str, Measure]) -> list[str]:
    shares = {name: one.value for name in (CHANCE, LONGEST) if (one := found.get(name)) and one.value is not None}
    if len(shares) < 2 or own.ci_low is None:
        return []
    least = max(shares.values())
    told = f"Guessing is right in {shares[CHANCE]:.1%}, always taking the longest answer in {shares[LONGEST]:.1%}."
    weak = " The model is not shown to do better than both, so a change of its accuracy says little."
    return [told + (weak if own.ci_low <= least else "")]


FINDINGS = MethodFindings(
    pages={"run_measures": of_questions},
    caveat="This says how well the model answers these questions. It says nothing about groups of people.",
    cost=lambda one: accuracy_change("Accuracy on multiple-choice questions", one),
)
