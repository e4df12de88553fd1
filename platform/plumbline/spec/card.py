"""A method's card: what a probe measures, as pages and docs describe it."""

from dataclasses import dataclass, replace

from plumbline.spec.basis import Basis
from plumbline.spec.finding_rules import FindingRules
from plumbline.spec.verdicts import Scale

OF_THE_SCORE = "the score's own"
"""The unit of a statistic that is computed from item scores: it takes the unit of these scores."""


@dataclass(frozen=True, slots=True)
class Statistic:
    """One named number: its unit, a plain sentence, its equation, its source and its caveat."""

    name: str
    unit: str
    sentence: str
    equation: str
    source: str
    caveat: str
    scale: Scale | None = None
    """The scale that sets the smallest effect that matters. None for a descriptive statistic without a verdict."""
    null: float = 0.0
    """The statistic's value without any effect."""
    title: str | None = None
    """The title on pages. None if the words of the name are a good title."""


PAIRED_DIFFERENCE = Statistic(
    name="paired_difference",
    title="Change since another run",
    unit=OF_THE_SCORE,
    sentence="How much a group's score with an attribute changed from the run before to this one.",
    equation="mean over kinds of sentence of (score in this run - score in the other run), item by item",
    source="ours",
    caveat="It shows that answers changed, but not why. A change that is not significant may still exist.",
    scale=Scale.LOG,
)
"""A statistic of two runs, so it is on no probe's card. The variant `run:N` names the run that is subtracted."""


DIFFERENCE_IN_DIFFERENCES = Statistic(
    name="difference_in_differences",
    title="Change of a difference since another run",
    unit=OF_THE_SCORE,
    sentence="How much the difference between two groups changed from the other run to this one.",
    equation="(score_a - score_b) in this run - (score_a - score_b) in the other run, template by template",
    source="ours",
    caveat="It says how far the answers of two runs are apart, and not what made them differ.",
    scale=Scale.LOG,
)
"""A statistic of two runs like PAIRED_DIFFERENCE, computed when somebody requests a comparison."""

MEASURE_CHANGE = Statistic(
    name="measure_change",
    title="Change of a figure since another run",
    unit=OF_THE_SCORE,
    sentence="How much a figure of a whole run changed from the other run to this one, paired by what both runs score.",
    equation="the figure in this run - the figure in the other run; of ratios, the change of their natural logarithm",
    source="ours",
    caveat="It says how far the answers of two runs are apart, and not what made them differ.",
)
"""A statistic of two runs. `condition` names the statistic that changed and, after a comma, the condition of that."""

OF_TWO_RUNS = (PAIRED_DIFFERENCE, DIFFERENCE_IN_DIFFERENCES, MEASURE_CHANGE)


@dataclass(frozen=True, slots=True)
class Card:
    """A probe's card: its model kinds, record tables, phases and statistics."""

    probe: str
    version: str
    title: str
    model_kinds: tuple[str, ...]
    tables: tuple[str, ...]
    phases: tuple[str, ...]
    statistics: tuple[Statistic, ...]
    score: str
    """The statistic of one group with one attribute."""
    difference: str
    """The statistic of two groups with one attribute, from which findings are written."""
    ours: str
    """The parts of this method that are ours and not the paper's."""
    item_unit: str = "natural log"
    """The unit of one item's score. A statistic over many items may have another unit."""
    measured: str = "what a model associates in these templates, with these words"
    """What a run measures, as its page states it above the limits."""
    compared: Statistic = PAIRED_DIFFERENCE
    """The statistic by which two runs differ. Methods that do not compare runs item by item have their own."""
    basis: Basis | None = None
    """What the score rests on. None: the method scores no group with a word, so no other method is held against it."""
    needs_weights: str | None = None
    """Why a model behind a server, which gives log probabilities only, cannot be audited. None: it can."""
    findings: FindingRules | None = None
    """The measures that become findings. A registered method without this declaration fails a test."""

    def unit_of(self, statistic: str) -> str:
        """Return the unit of a statistic of this card, or "" for another statistic."""
        return next((self.own(one).unit for one in self.statistics if one.name == statistic), "")

    def statistic(self, name: str) -> Statistic | None:
        """Return the statistic with that name, the comparison of two runs included, or None."""
        found = (*self.statistics, self.compared, DIFFERENCE_IN_DIFFERENCES, MEASURE_CHANGE)
        return next((one for one in found if one.name == name), None)

    def own(self, statistic: Statistic) -> Statistic:
        """Return the statistic as this method has it, in the unit of its scores or in the method's own words."""
        found = self.compared if statistic.name == self.compared.name else statistic
        return replace(found, unit=self.item_unit) if found.unit == OF_THE_SCORE else found
