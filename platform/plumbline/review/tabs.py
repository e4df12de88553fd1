"""Which pages a run has: those that its measures can fill."""

from dataclasses import dataclass

from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.results import models
from plumbline.results.summary import OF_CELLS
from plumbline.spec.alignment import KENDALL_TAU
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
    intersections: bool
    effects: bool
    preference: bool
    pronouns: bool
    words: bool
    names: bool
    people: bool
    """Groups that people can be asked about."""
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
    }
    first = own.none().union(*(found.order_by().values_list("statistic")[:1] for found in asked.values()), all=True)
    there = {statistic for (statistic,) in first}
    items = run.probe not in PROBES or "association" in PROBES[run.probe].card.tables
    return Tabs(
        explorer=items and (run.state != RunState.DONE or score in there),
        intersections=not there.isdisjoint(INTERSECTIONS),
        effects=not there.isdisjoint(EFFECTS),
        preference=not there.isdisjoint(PREFERENCE),
        pronouns=not there.isdisjoint(PRONOUNS),
        words=not there.isdisjoint(WORDS),
        names=not there.isdisjoint(NAMES),
        people=_of_groups(run),
        items=items,
    )


def _of_groups(run: Run) -> bool:
    statistics = PROBES[run.probe].card.statistics if run.probe in PROBES else ()
    return "groups" in run.spec and any(one.name == KENDALL_TAU.name for one in statistics)
