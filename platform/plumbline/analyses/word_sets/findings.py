"""Findings on sets of words: effect sizes, and groups between pairs of opposites."""

from plumbline.analyses.word_sets.effects import STATISTICS, Contrast, Effect, contrast_of, effects
from plumbline.audits.models import Run
from plumbline.findings.sentences import Sentence
from plumbline.results.summary import measures, of_run
from plumbline.spec.measure import Measure
from plumbline.spec.numbers import compared, counted, number, probability, with_interval
from plumbline.spec.verdicts import Verdict

MOST_TOLD = 3


def of_effects(run: Run) -> list[Sentence]:
    """Return the effect sizes of the whole run. Sets that were cut to one size replace the uncut ones.

    Measures of earlier rules have no verdict and give no sentence.
    """
    found = effects(measures(of_run(run.pk, *STATISTICS).filter(template="").order_by("pk")))
    return [
        (effect_sentence(run.subject, contrast_of(run.probe, one.measure), one, where(run)), effect_figures(one))
        for one in found
        if "uncut" not in one.variant and (one.measure.verdict or one.measure.value is None)
    ]


def where(run: Run) -> str:
    """Return where the effect is: the tests exchange words, so they say nothing about other sentences."""
    return "in these sentences " if (run.spec or {}).get("templates") else ""


def effect_sentence(model: str, sets: Contrast, one: Effect, place: str = "") -> str:
    value = one.measure.value
    if value is None:
        return f"{model}: {sets.x} and {sets.y} have no effect size on {sets.a} and {sets.b}: {one.measure.reason}."
    more, less = (sets.x, sets.y) if value > 0 else (sets.y, sets.x)
    how = f" ({one.variant})" if one.variant else ""
    links = f"{place}{model} links {more} more strongly to {sets.a} than to {sets.b}, compared with {less}{how}"
    if one.measure.verdict == Verdict.ABSENT:
        margin = f"the effect size is shown to be smaller than {one.measure.smallest_effect:g}"
        return _capital(f"{place}{model} links {more} and {less} to {sets.a} and {sets.b} alike{how}: {margin}.", place)
    if one.measure.verdict == Verdict.NOT_TESTABLE:
        return _untested(links, one.measure)
    return (
        f"It is undecided whether {links}."
        if one.measure.verdict == Verdict.UNDECIDED
        else _capital(f"{links}.", place)
    )


def _untested(links: str, one: Measure) -> str:
    """Return why a link cannot be tested: there is no test, for a reason, or no test of so few words can be clear."""
    if one.p_value is None and one.reason:
        return f"It cannot be tested whether {links} ({one.reason})."
    return f"The words are too few to test whether {links}."


def _capital(sentence: str, place: str) -> str:
    """Return the sentence with a capital, unless it begins with the name of a model and not with its place."""
    return sentence[:1].upper() + sentence[1:] if place else sentence


def effect_figures(one: Effect) -> str:
    if one.measure.value is None:
        return ""
    size = with_interval(one.measure) if one.measure.ci_low is not None else number(one.measure.value)
    p = (
        f"  p {compared(probability(one.p))}{' (one-sided)' if one.two_sided is None else ''}"
        if one.p is not None
        else ""
    )
    q = f"  q {compared(probability(one.measure.q_value))}" if one.measure.q_value is not None else ""
    return f"d = {size}  n = {counted(one.measure.n_units, one.measure.unit)}{p}{q}"


def finding_sentence(run: Run, one: Measure) -> str:
    """Return the sentence of a present effect size."""
    return effect_sentence(run.subject, contrast_of(run.probe, one), Effect(one, "", None, None, ""), where(run))
