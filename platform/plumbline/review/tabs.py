"""Which pages a run has: those that its measures can fill."""

from dataclasses import dataclass

from plumbline.analyses.alignment.statistics import KENDALL_TAU
from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.methods.indirect.card import AGREEMENT, DIRECT
from plumbline.results import models
from plumbline.results.summary import OF_CELLS
from plumbline.review.grid import UNDER_CELLS
from plumbline.review.known.printed import GENDERS
from plumbline.spec.registry import PROBES

INTERSECTIONS = ("identity_order", "domain_dominance", "emergent_trait")
EFFECTS = ("effect_size", "combined_effect_size", "ceat")
PREFERENCE = ("attribute_preference",)
PRONOUNS = ("p_neither",)
WORDS = ("relative_difference",)
NAMES = ("success_rate_projection", "kmeans_accuracy")


@dataclass(frozen=True, slots=True)
class Tabs:
    explorer: bool
    indirect: bool
    """Targets and features tied by first names, which have an explorer of their own."""
    known: bool
    """Direct and indirect scores of words that name genders."""
    intersections: bool
    effects: bool
    preference: bool
    pronouns: bool
    words: bool
    names: bool
    people: bool
    """Groups that people can be asked about."""
    bbq: bool
    """Questions with three options, of which one is UNKNOWN."""
    items: bool
    """Sentences about a group and an attribute, each with a score."""


def tabs_of(run: Run) -> Tabs:
    """In one query. A run that is not done may yet have a grid."""
    score = PROBES[run.probe].card.score if run.probe in PROBES else ""
    own = models.Measure.objects.filter(run=run.pk)
    asked = {
        "explorer": own.filter(OF_CELLS, statistic=score),
        "intersections": own.filter(statistic__in=INTERSECTIONS),
        "effects": own.filter(statistic__in=EFFECTS),
        "preference": own.filter(statistic__in=PREFERENCE),
        "pronouns": own.filter(statistic__in=PRONOUNS),
        "words": own.filter(statistic__in=WORDS),
        "names": own.filter(statistic__in=NAMES),
        "direct": own.filter(statistic=DIRECT),
        "known": own.filter(statistic=AGREEMENT, group_b__in=GENDERS),
    }
    first = own.none().union(*(found.order_by().values_list("statistic")[:1] for found in asked.values()), all=True)
    there = {statistic for (statistic,) in first}
    tables = set(PROBES[run.probe].card.tables) if run.probe in PROBES else {"association"}
    items = "association" in tables and (run.probe != "indirect" or DIRECT in there)
    grid = bool(UNDER_CELLS & tables)
    return Tabs(
        explorer=grid and run.probe != "indirect" and (run.state != RunState.DONE or score in there),
        indirect=run.probe == "indirect",
        known=AGREEMENT in there,
        intersections=not there.isdisjoint(INTERSECTIONS),
        effects=not there.isdisjoint(EFFECTS),
        preference=not there.isdisjoint(PREFERENCE),
        pronouns=not there.isdisjoint(PRONOUNS),
        words=not there.isdisjoint(WORDS),
        names=not there.isdisjoint(NAMES),
        people=_of_groups(run),
        bbq=run.probe == "bbq",
        items=items,
    )


def _of_groups(run: Run) -> bool:
    statistics = PROBES[run.probe].card.statistics if run.probe in PROBES else ()
    return "groups" in run.spec and any(one.name == KENDALL_TAU.name for one in statistics)
