"""What a run found beyond differences of groups, in sentences: effect sizes, preference, pairs of groups, words."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from plumbline.audits.models import Run
from plumbline.results import bbq_told, effects_told, indirect_told, pronouns_told, words_told
from plumbline.results.findings import is_significant
from plumbline.results.summary import OVERALL, SIGNIFICANT, measures, of_run
from plumbline.review import crossings
from plumbline.review.tabs import Tabs
from plumbline.spec.measure import Measure
from plumbline.spec.numbers import count, probability, with_interval

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
        (tabs.bbq, _bbq),
        (tabs.words, _words),
        (tabs.names, _clusters),
        (run.probe == "indirect", _links),
    )
    return [one for there, tell in parts if there for one in tell(run)]


def _effects(run: Run) -> Iterator[Told]:
    for sentence, figures in effects_told.of_effects(run.pk, run.probe, run.model):
        yield Told(sentence, figures, "run_effects")


def _groups(run: Run) -> Iterator[Told]:
    for sentence, figures in effects_told.of_groups(run.pk, run.model):
        yield Told(sentence, figures, "run_effects")


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


def _bbq(run: Run) -> Iterator[Told]:
    for sentence, figures in bbq_told.of_bbq(run.pk, run.model):
        yield Told(sentence, figures, "run_bbq")


def _words(run: Run) -> Iterator[Told]:
    for sentence, figures in words_told.of_words(run.pk, run.model):
        yield Told(sentence, figures, "run_words")


def _clusters(run: Run) -> Iterator[Told]:
    for sentence, figures in words_told.of_clusters(run.pk):
        yield Told(sentence, figures, "run_names")


def _links(run: Run) -> Iterator[Told]:
    for sentence, figures in indirect_told.of_links(run.pk, run.model):
        yield Told(sentence, figures, "indirect")


def nearer_sentence(one: Measure) -> str:
    more = "more" if (one.value or 0) > 0 else "no more"
    chance = "" if is_significant(one) else ", but not beyond chance"
    return (
        f"A pair's traits agree {more} with those of its nearer component than with those of the nearer of two groups"
        f" that are none of its components{chance}."
    )


def _figures(one: Measure) -> str:
    return f"{with_interval(one)}  n = {count(one.n)}  q = {probability(one.q_value)}"
