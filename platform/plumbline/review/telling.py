"""What a run found beyond differences of groups, in sentences: effect sizes, preference, pairs of groups, words."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.db.models.functions import Abs

from plumbline.audits.models import Run
from plumbline.results import pronouns_told, words_told
from plumbline.results.findings import SIGNIFICANT_Q, is_significant
from plumbline.results.summary import OVERALL, SIGNIFICANT, measures, of_run
from plumbline.review import crossings
from plumbline.review.effects import STATISTICS, Contrast, Effect, contrast_of, effects
from plumbline.review.tabs import Tabs
from plumbline.spec.measure import Measure
from plumbline.spec.numbers import count, number, probability, with_interval

APART = {"weat", "ceat", "gap", "sodapop"}
"""Probes whose findings are no differences of groups on single words: they are told here alone."""
MOST_TOLD = 3


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence, its figures, and the page (an address's name) that shows what it rests on."""

    sentence: str
    figures: str
    page: str


def told(run: Run, tabs: Tabs) -> list[Told]:
    """All sentences of a run, from short slices of its measures."""
    parts: tuple[tuple[bool, Callable[[Run], Iterator[Told]]], ...] = (
        (tabs.effects, _effects),
        (tabs.effects and run.probe == "ceat", _groups),
        (tabs.preference, _preference),
        (tabs.pronouns, _pronouns),
        (tabs.intersections, _intersections),
        (tabs.words, _words),
        (tabs.names, _clusters),
    )
    return [one for there, tell in parts if there for one in tell(run)]


def _effects(run: Run) -> Iterator[Told]:
    for one in effects(measures(of_run(run.pk, *STATISTICS).filter(template="").order_by("pk"))):
        if "uncut" not in one.variant:
            yield Told(
                effect_sentence(run.model, contrast_of(run.probe, one.measure), one), effect_figures(one), "run_effects"
            )


def effect_sentence(model: str, sets: Contrast, one: Effect) -> str:
    value = one.measure.value
    if value is None:
        return f"{model}: {sets.x} and {sets.y} have no effect size on {sets.a} and {sets.b}: {one.measure.reason}."
    more, less = (sets.x, sets.y) if value > 0 else (sets.y, sets.x)
    if one.p is None:
        beyond = "; whether beyond chance was not tested"
    else:
        beyond = "" if one.p < SIGNIFICANT_Q else ", but not beyond chance"
    how = f" ({one.variant})" if one.variant else ""
    return f"{model} ties {more} more to {sets.a} than to {sets.b}, compared with {less}{beyond}{how}."


def effect_figures(one: Effect) -> str:
    if one.measure.value is None:
        return ""
    size = with_interval(one.measure) if one.measure.ci_low is not None else number(one.measure.value)
    p = f"  p = {probability(one.p)}{' (one-sided)' if one.two_sided is None else ''}" if one.p is not None else ""
    return f"d = {size}  {count(one.measure.n_units)} {one.measure.unit}s{p}"


def _groups(run: Run) -> Iterator[Told]:
    """Of each group on each pair of opposites, against the other groups."""
    cells = of_run(run.pk, "ceat_difference").filter(value__isnull=False)
    compared = cells.count()
    if not compared:
        return
    beyond = cells.filter(SIGNIFICANT)
    for one in measures(beyond.order_by(Abs("value").desc(), "group_a", "attribute")[:MOST_TOLD]):
        yield Told(pole_sentence(run.model, one), _figures(one), "run_effects")
    yield Told(
        f"Of {compared} differences of a group from the others on a pair of opposites, {beyond.count()} are beyond"
        f" chance (q < {SIGNIFICANT_Q}).",
        "",
        "run_effects",
    )


def pole_sentence(model: str, one: Measure) -> str:
    left, _, right = one.attribute.partition(" - ")
    near, far = (right, left) if (one.value or 0) > 0 else (left, right)
    side = f"nearer to \u201c{near}\u201d than to \u201c{far}\u201d"
    return f"{model} places {one.group_a} {side}, compared with the others."


def _preference(run: Run) -> Iterator[Told]:
    for one in measures(of_run(run.pk, "attribute_preference").filter(OVERALL).order_by("pk")):
        if "by rows" in one.variant or one.value is None:
            continue
        share = f"{count(round(one.value * one.n_units))} of the {count(one.n_units)}"
        sentence = f"{run.model} ties {share} words of {one.category}"
        yield Told(f"{sentence} more to {one.group_a} than to {one.group_b}.", _figures(one), "run_preference")


def _pronouns(run: Run) -> Iterator[Told]:
    for sentence, figures in pronouns_told.of_pronouns(run.pk, run.model):
        yield Told(sentence, figures, "run_pronouns")


def _intersections(run: Run) -> Iterator[Told]:
    beyond = crossings.identity_order(run.pk).get(("nearer component", "model - chance"))
    if beyond is not None and beyond.value is not None:
        yield Told(nearer_sentence(beyond), _figures(beyond), "run_intersections")
    counts = of_run(run.pk, "domains_dominated").filter(condition="dominates", value__gt=0)
    for one in measures(counts.order_by("-value", "group_a")[:1]):
        others = f"{one.value:.0f} of {one.n} other domain{'' if one.n == 1 else 's'}"
        yield Told(f"{one.group_a} dominates {others}: pairs take after it by 0.1 or more.", "", "run_intersections")
    for one in measures(of_run(run.pk, "emergent_trait").filter(SIGNIFICANT, condition="above").order_by("-value")[:1]):
        sentence = f"{run.model} ties {one.group_a} to \u201c{one.attribute}\u201d more than either of its components."
        yield Told(sentence, _figures(one), "run_intersections")


def _words(run: Run) -> Iterator[Told]:
    for sentence, figures in words_told.of_words(run.pk, run.model):
        yield Told(sentence, figures, "run_words")


def _clusters(run: Run) -> Iterator[Told]:
    for sentence, figures in words_told.of_clusters(run.pk):
        yield Told(sentence, figures, "run_names")


def nearer_sentence(one: Measure) -> str:
    more = "more" if (one.value or 0) > 0 else "no more"
    chance = "" if is_significant(one) else ", but not beyond chance"
    return (
        f"A pair's traits agree {more} with those of its nearer component than with those of the nearer of two groups"
        f" that are none of its components{chance}."
    )


def _figures(one: Measure) -> str:
    return f"{with_interval(one)}  n = {count(one.n)}  q = {probability(one.q_value)}"
