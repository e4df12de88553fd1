"""The same answers scored by the rules that others publish, side by side."""

from dataclasses import dataclass

from plumbline.methods.bbq.board import Cell, Chosen, accuracy, cell
from plumbline.methods.bbq.variants import RULES, SCORES, Figures
from plumbline.spec.banks.bbq_question import AMBIG, DISAMBIG
from plumbline.spec.measure import Measure

PAPER = "the paper's text"
AS_PAPER = "as the paper"
"""The text in place of the condition of a cell that the rule does not change."""


@dataclass(frozen=True, slots=True)
class Definition:
    """One rule: its scores and accuracies, and the number of answers that it leaves out, by condition."""

    rule: str
    told: str
    scores: tuple[Cell, ...]
    accuracies: tuple[Measure | None, ...]
    excluded: tuple[Measure | None, ...]

    @property
    def title(self) -> str:
        return self.rule or PAPER


def definitions(figures: Figures, category: str) -> list[Definition]:
    """Return all definitions of the run, of one category or (empty) of the whole."""
    return [_definition(figures, rule, category) for rule in figures.rules()]


def _definition(figures: Figures, rule: str, category: str) -> Definition:
    def find(statistic: str, condition: str, by: str = rule) -> Measure | None:
        return figures.find(statistic, {"condition": condition, "category": category}, by)

    # A rule that changes one score alone says nothing of the other.
    scores = tuple(
        cell(find(name, condition), condition) if find(name, condition) else Cell(find(name, condition, ""), AS_PAPER)
        for name, condition in SCORES.items()
    )
    accuracies = tuple(accuracy(figures, Chosen(rule), category, condition) for condition in (AMBIG, DISAMBIG))
    excluded = tuple(find("excluded_answers", condition) for condition in (AMBIG, DISAMBIG))
    return Definition(rule, RULES[rule], scores, accuracies, excluded)
