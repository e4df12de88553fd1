"""What a run says of sets of words, in sentences: effect sizes, and groups between pairs of opposites."""

from django.db.models.functions import Abs

from plumbline.results.effects import STATISTICS, Contrast, Effect, contrast_of, effects
from plumbline.results.findings import ALPHA
from plumbline.results.summary import PRESENT, measures, of_run
from plumbline.results.words_told import Sentence
from plumbline.spec.measure import Measure
from plumbline.spec.numbers import count, number, probability, with_interval, with_uncertainty
from plumbline.spec.verdicts import Verdict

MOST_TOLD = 3
_CHANCE = {
    "": "; no verdict, since earlier rules summarised it",
    Verdict.ABSENT: ", by less than matters",
    Verdict.UNDECIDED: ", but not beyond chance",
    Verdict.NOT_TESTABLE: "; too few words for a test",
}
"""What the verdict on an effect adds to its sentence; a present effect needs nothing."""


def of_effects(run: int, probe: str, model: str) -> list[Sentence]:
    """Each effect size of the whole; of preference those that are cut to one size."""
    found = effects(measures(of_run(run, *STATISTICS).filter(template="").order_by("pk")))
    return [
        (effect_sentence(model, contrast_of(probe, one.measure), one), effect_figures(one))
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


def of_groups(run: int, model: str, alpha: float = ALPHA) -> list[Sentence]:
    """Of each group on each pair of opposites, against the other groups."""
    cells = of_run(run, "ceat_difference").filter(value__isnull=False)
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
