"""Findings of perplexity: how well a model predicts the texts, with no verdict on one model alone."""

from collections.abc import Iterator
from math import exp

from plumbline.audits.models import Run
from plumbline.findings.by_method import MethodFindings
from plumbline.findings.costs import accuracy_change, cost_sentence
from plumbline.findings.sentences import Sentence
from plumbline.methods.perplexity.card import LOG_PERPLEXITY, PERPLEXITY, PSEUDO, TOP1
from plumbline.results.summary import measures, of_run
from plumbline.spec.measure import Measure


def of_texts(run: Run) -> list[Sentence]:
    """Return the top-1 accuracy of a masked model, then the perplexity."""
    found = {one.statistic: one for one in measures(of_run(run.pk, TOP1.name, PSEUDO.name, PERPLEXITY.name))}
    return list(_sentences(run.model, found))


def _sentences(model: str, found: dict[str, Measure]) -> Iterator[Sentence]:
    for name in (TOP1.name, PSEUDO.name, PERPLEXITY.name):
        if one := found.get(name):
            yield _sentence(model, one), ""


def _sentence(model: str, one: Measure) -> str:
    if one.value is None:
        return f"Nothing can be said of how well {model} predicts these texts: {one.reason}."
    tokens = f"{one.n:,} tokens of {one.n_units:,} texts"
    if one.statistic == TOP1.name:
        return f"{model} predicts {one.value:.1%}{_interval(one, '.1%')} of {tokens} right when each is masked alone."
    title = "pseudo-perplexity" if one.statistic == PSEUDO.name else "perplexity"
    return (
        f"The {title} of {model} is {one.value:.1f}{_interval(one, '.1f')} over {tokens}. Compare it only with that"
        " of a variant of this model."
    )


def _interval(one: Measure, style: str) -> str:
    if one.ci_low is None or one.ci_high is None:
        return " (no interval)"
    return f" [{one.ci_low:{style}}, {one.ci_high:{style}}]"


def cost(one: Measure) -> str:
    """Return the sentence on the change of the perplexity, as a ratio, or of the top-1 accuracy."""
    if one.attribute != LOG_PERPLEXITY:
        return accuracy_change("Top-1 accuracy on masked tokens", one)
    if one.value is None:
        return f"Perplexity: nothing can be said of the change: {one.reason}."
    ratio = f"{exp(one.value):.3f} times that before"
    limits = [exp(limit) for limit in (one.ci_low, one.ci_high) if limit is not None]
    interval = f"[{limits[0]:.3f}, {limits[1]:.3f}]" if limits else "(no interval)"
    margin = f"{one.smallest_effect or 0.0:.0%}"
    return cost_sentence("Perplexity", "lower" if one.value < 0 else "higher", f"{ratio} {interval}", margin, one)


FINDINGS = MethodFindings(
    pages={"run_measures": of_texts},
    caveat="This says how well the model predicts these texts. It says nothing about groups of people.",
    cost=cost,
)
