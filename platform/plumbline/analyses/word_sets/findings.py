"""What a run says of sets of words, in sentences: effect sizes, and groups between pairs of opposites."""

from plumbline.analyses.word_sets.effects import STATISTICS, Contrast, Effect, contrast_of, effects
from plumbline.audits.models import Run
from plumbline.findings.sentences import Sentence
from plumbline.results.summary import measures, of_run
from plumbline.spec.numbers import count, number, probability, with_interval
from plumbline.spec.verdicts import Verdict

MOST_TOLD = 3
_CHANCE = {
    "": "; no verdict, since earlier rules summarised it",
    Verdict.ABSENT: ", by less than matters",
    Verdict.UNDECIDED: ", but not beyond chance",
    Verdict.NOT_TESTABLE: "; too few words for a test",
}
"""What the verdict on an effect adds to its sentence; a present effect needs nothing."""


def of_effects(run: Run) -> list[Sentence]:
    """Each effect size of the whole; of preference those that are cut to one size."""
    found = effects(measures(of_run(run.pk, *STATISTICS).filter(template="").order_by("pk")))
    return [
        (effect_sentence(run.model, contrast_of(run.probe, one.measure), one), effect_figures(one))
        for one in found
        if "uncut" not in one.variant
    ]


def effect_sentence(model: str, sets: Contrast, one: Effect) -> str:
    value = one.measure.value
    if value is None:
        return f"{model}: {sets.x} and {sets.y} have no effect size on {sets.a} and {sets.b}: {one.measure.reason}."
    more, less = (sets.x, sets.y) if value > 0 else (sets.y, sets.x)
    beyond = _CHANCE.get(one.measure.verdict, "")
    how = f" ({one.variant})" if one.variant else ""
    return f"{model} links {more} more strongly to {sets.a} than to {sets.b}, compared with {less}{beyond}{how}."


def effect_figures(one: Effect) -> str:
    if one.measure.value is None:
        return ""
    size = with_interval(one.measure) if one.measure.ci_low is not None else number(one.measure.value)
    p = f"  p = {probability(one.p)}{' (one-sided)' if one.two_sided is None else ''}" if one.p is not None else ""
    return f"d = {size}  {count(one.measure.n_units)} {one.measure.unit}s{p}"
