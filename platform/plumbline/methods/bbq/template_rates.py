"""Templates of a BBQ run: the scores of each, and how often target, non-target and UNKNOWN are chosen in one."""

from dataclasses import dataclass

from plumbline.methods.bbq.board import Cell, cell
from plumbline.methods.bbq.variants import SCORES, Figures
from plumbline.results.summary import measures, of_run
from plumbline.spec.banks.bbq_question import AMBIG, DISAMBIG, NEGATIVE, NON_NEGATIVE
from plumbline.spec.measure import Measure

CHOICES = ("target", "non-target", "UNKNOWN")
ASKED = tuple((condition, polarity) for condition in (AMBIG, DISAMBIG) for polarity in (NEGATIVE, NON_NEGATIVE))


@dataclass(frozen=True, slots=True)
class Template:
    """Bias scores and accuracies of a template, by condition."""

    name: str
    scores: tuple[Cell, ...]
    accuracies: tuple[Measure | None, ...]

    @property
    def note(self) -> str:
        """Return the note that the scores reflect a real difference of base rates; "" if they do not."""
        reasons = {one.measure.reason for one in self.scores if one.measure and one.value is not None}
        parts = {part for reason in reasons for part in reason.split("; ") if not part.startswith("fewer than")}
        return "; ".join(sorted(parts - {""}))


@dataclass(frozen=True, slots=True)
class Rates:
    """One condition and polarity of a template: how often each of CHOICES is chosen (Table 2)."""

    condition: str
    polarity: str
    found: tuple[Measure | None, ...]

    @property
    def n(self) -> int:
        return next((one.n for one in self.found if one), 0)


def templates(run: int, category: str, *, flagged: bool = True) -> list[Template]:
    """Return the templates of a category, in at most two queries.

    The strongest score in ambiguous contexts comes first.
    """
    found = of_run(run, *SCORES, "accuracy").filter(category=category).exclude(template="")
    figures = Figures(measures(found))
    rows = [_template(figures, category, name, flagged) for name in sorted({one.template for one in figures})]
    return sorted(rows, key=lambda row: -max((abs(one.value or 0.0) for one in row.scores[:1]), default=0.0))


def _template(figures: Figures, category: str, name: str, flagged: bool) -> Template:
    def find(statistic: str, condition: str) -> Measure | None:
        about = {"condition": condition, "category": category, "template": name}
        return figures.find(statistic, about, flagged=flagged)

    scores = tuple(cell(find(statistic, condition), condition) for statistic, condition in SCORES.items())
    return Template(name, scores, tuple(find("accuracy", condition) for condition in (AMBIG, DISAMBIG)))


def one_template(run: int, name: str) -> tuple[str, Template | None, list[Rates]]:
    """Return the category, the scores, and Table 2 of one template."""
    figures = Figures(measures(of_run(run, *SCORES, "accuracy", "choice_rate").filter(template=name)))
    category = next((one.category for one in figures), "")
    if not category:
        return "", None, []
    rates = [_rates(figures, category, name, *asked) for asked in ASKED]
    return category, _template(figures, category, name, True), [one for one in rates if any(one.found)]


def _rates(figures: Figures, category: str, name: str, condition: str, polarity: str) -> Rates:
    about = {"condition": condition, "category": category, "template": name, "attribute": polarity}
    return Rates(
        condition, polarity, tuple(figures.find("choice_rate", {**about, "group_a": choice}) for choice in CHOICES)
    )
