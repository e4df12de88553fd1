"""The pages of a run: those of its method, and those that its measures can fill."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from django.db.models import Q, Value

from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.pages.grid import UNDER_CELLS
from plumbline.pages.readings import LOG_P, Reading
from plumbline.results import models
from plumbline.results.summary import OF_CELLS
from plumbline.spec.answers.classes import BY_CLASS
from plumbline.spec.card import Card
from plumbline.spec.registry import card_of, contributed


def _always(_run: Run) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Tab:
    """A page of a run. It is shown if the run has a measure of one of `statistics` (if any), and `when` is true."""

    name: str
    label: str
    address: str
    """The name of the page's address."""
    statistics: tuple[str, ...] = ()
    where: Q = field(default_factory=Q)
    """The condition of measures that count."""
    when: Callable[[Run], bool] = _always
    purpose: str = ""
    """What the page is for, in a sentence that stands on it."""


@dataclass(frozen=True, slots=True)
class MethodPages:
    """The pages that a method adds. The `tabs` module of its folder has them as PAGES."""

    tabs: tuple[Tab, ...] = ()
    """The tabs between the explorer and the measures, in order."""
    own_grid: bool = False
    """Whether the method has its own explorer instead of the grid of groups and attributes."""
    items: Tab | None = Tab("items", "Items", "items", purpose="Each sentence that was asked, with its scores.")
    """The page of items: sentences about a group and an attribute with their scores. None if the method has none."""
    reading: Callable[[Run], Reading | None] = lambda _run: LOG_P
    """The value read from the model for each item, or None if the score has no parts to show."""
    unscored: str = "items"
    """The name of the address of the page that lists items without a score."""
    unscored_query: str = "scorable=no"


SUMMARY = Tab("summary", "Summary", "run", purpose="What this run asked and found, and how sure its figures are.")
EXPLORER = Tab("explorer", "Explorer", "explorer", purpose="Which group the model associates with which attribute.")
FINDINGS = Tab(
    "findings",
    "Findings",
    "run_findings",
    when=lambda run: run.state == RunState.DONE,
    purpose="The findings of this run, and what people decided about them.",
)
MEASURES = Tab(
    "measures", "Measures", "run_measures", purpose="Every statistic of this run, with its interval and q-value."
)
ANSWERS = Tab(
    "answers",
    "Answers",
    "run_answers",
    statistics=(BY_CLASS,),
    purpose="Whether the parser understood answers in text as people do.",
)
PROVENANCE = Tab(
    "provenance",
    "Provenance",
    "run_provenance",
    purpose="What this run was made with: words, model, versions and settings.",
)


def method_pages(probe: str) -> MethodPages:
    """Return the pages of a probe's method. A probe that is not registered (any more) has none of its own."""
    return contributed(probe, "tabs", "PAGES", MethodPages())


def items_tab(probe: str) -> Tab | None:
    """Return the page of items of a probe's runs, None if its method stores no such items."""
    card = card_of(probe)
    return method_pages(probe).items if card is None or "association" in card.tables else None


def tabs_of(run: Run) -> list[Tab]:
    """Return the tabs of a run in one query. A run that is not done may already have a grid."""
    card, own = card_of(run.probe), method_pages(run.probe)
    items = items_tab(run.probe)
    grid = () if own.own_grid else _grid(run, card)
    pages = [SUMMARY, FINDINGS, *grid, *own.tabs, MEASURES, *([items] if items else []), PROVENANCE]
    shown = _filled(run, [one for one in pages if one.statistics])
    return [one for one in pages if (not one.statistics or one in shown) and one.when(run)]


def _grid(run: Run, card: Card | None) -> tuple[Tab, ...]:
    if card is not None and not UNDER_CELLS & set(card.tables):
        return ()
    if run.state != RunState.DONE:
        return (EXPLORER,)
    score = card.score if card else ""
    return (replace(EXPLORER, statistics=(score,), where=OF_CELLS),)


def _filled(run: Run, tabs: list[Tab]) -> list[Tab]:
    """Return the tabs for which the run has a measure."""
    if not tabs:
        return []
    own = models.Measure.objects.filter(run=run.pk).order_by()
    of_each = [
        own.filter(one.where, statistic__in=one.statistics).annotate(tab=Value(one.name)).values_list("tab")[:1]
        for one in tabs
    ]
    there = {name for (name,) in of_each[0].union(*of_each[1:], all=True)}
    return [one for one in tabs if one.name in there]
