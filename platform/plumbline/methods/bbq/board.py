"""Figure 3 of BBQ: bias scores by category and condition, with the accuracies behind them."""

import math
from dataclasses import dataclass
from urllib.parse import urlencode

from plumbline.findings.contrasts import is_present
from plumbline.methods.bbq.variants import BY_CODE, MEAN, SCORES, Figures
from plumbline.results.summary import measures, of_run
from plumbline.spec.banks.bbq_question import AMBIG, DISAMBIG
from plumbline.spec.measure import Measure

STATISTICS = (*SCORES, "accuracy", "unknown_share", "accuracy_cost", "excluded_answers", "unmatched_answers")
POOLED, MEANS = "All categories, pooled", "Mean over categories"
DEPTHS = 10
ORDERS = {"category": "by name", "ambig": "by the score in ambiguous contexts", "disambig": "in disambiguated ones"}


@dataclass(frozen=True, slots=True)
class Cell:
    """A bias score on the board: its link, its colour, and the mark of its sign."""

    measure: Measure | None
    condition: str
    classes: str = ""
    mark: str = ""

    @property
    def value(self) -> float | None:
        return self.measure.value if self.measure else None

    @property
    def rank(self) -> float:
        """Return a key that sorts the largest score first and an undefined one last."""
        return math.inf if self.value is None else -self.value

    @property
    def query(self) -> str:
        """Return the part of an address that leads to the questions of the score."""
        one = self.measure
        if one is None:
            return ""
        label = "code" if BY_CODE in one.variant else "label"
        about = {"category": one.category, "condition": self.condition, "template": one.template, label: one.group_a}
        about |= {"value": one.attribute, "differs": one.group_b}
        return urlencode({name: text for name, text in about.items() if text})


@dataclass(frozen=True, slots=True)
class Row:
    """A category, or an aggregate of all, which has no questions of its own category."""

    title: str
    category: str
    scores: tuple[Cell, ...]
    accuracies: tuple[Measure | None, ...]
    is_mean: bool = False

    @property
    def conditions(self) -> list[str]:
        return [one.condition for one in self.scores if one.measure]


@dataclass(frozen=True, slots=True)
class Chosen:
    """The choices of the address: a definition, with or without the flagged items, and an order."""

    rule: str = ""
    flagged: bool = True
    order: str = "category"


def read(run: int) -> Figures:
    """Return the measures of whole categories of a run, in one query."""
    found = of_run(run, *STATISTICS).filter(template="", attribute="", group_a="", group_b="")
    return Figures(measures(found))


def rows(figures: Figures, chosen: Chosen) -> list[Row]:
    """Return the categories in the chosen order, and below them the two aggregates."""
    found = [_row(figures, chosen, category, category) for category in figures.categories()]
    if chosen.order in (AMBIG, DISAMBIG):
        place = (AMBIG, DISAMBIG).index(chosen.order)
        found.sort(key=lambda row: row.scores[place].rank)
    whole = _row(figures, chosen, POOLED, "")
    mean = _row(figures, Chosen(MEAN, chosen.flagged), MEANS, "", is_mean=True) if not chosen.rule else None
    return [*found, whole, *([mean] if mean and any(mean.conditions) else [])]


def _row(figures: Figures, chosen: Chosen, title: str, category: str, *, is_mean: bool = False) -> Row:
    def find(statistic: str, condition: str) -> Measure | None:
        return figures.find(
            statistic, {"condition": condition, "category": category}, chosen.rule, flagged=chosen.flagged
        )

    scores = tuple(cell(find(name, condition), condition) for name, condition in SCORES.items())
    accuracies = tuple(accuracy(figures, chosen, category, condition) for condition in (AMBIG, DISAMBIG))
    return Row(title, category, scores, accuracies, is_mean)


def accuracy(figures: Figures, chosen: Chosen, category: str, condition: str) -> Measure | None:
    """Return the accuracy by the rule if it changes the accuracy, else the plain one."""
    about = {"condition": condition, "category": category}
    own = figures.find("accuracy", about, chosen.rule, flagged=chosen.flagged)
    return own or (figures.find("accuracy", about, flagged=chosen.flagged) if chosen.rule != MEAN else None)


def cell(measure: Measure | None, condition: str) -> Cell:
    """Return a cell coloured from -1 to 1, as on every page: outlined if it is significant, else paler."""
    if measure is None:
        return Cell(None, condition)
    value = measure.value
    if value is None:
        return Cell(measure, condition, "hatched")
    strength = "outlined" if is_present(measure) else "pale"
    if value == 0:
        return Cell(measure, condition, strength)
    side, mark = ("more", "▲") if value > 0 else ("less", "▼")
    return Cell(measure, condition, f"{strength} tint {side} depth-{depth(value)}", mark)


def depth(value: float) -> int:
    return max(1, min(DEPTHS, math.ceil(abs(value) * DEPTHS)))
