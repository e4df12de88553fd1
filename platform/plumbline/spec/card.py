"""A method's card: what a probe measures, in the words that pages and docs show."""

from dataclasses import dataclass, replace

from plumbline.spec.verdicts import Scale

OF_THE_SCORE = "the score's own"
"""The unit of a statistic that is made of the items' scores, whatever these are in."""


@dataclass(frozen=True, slots=True)
class Statistic:
    """One named number: its unit, one plain sentence, its equation, its source, and what it cannot tell."""

    name: str
    unit: str
    sentence: str
    equation: str
    source: str
    caveat: str
    scale: Scale | None = None
    """Decides from which size on it matters; None: it only describes, and there is no verdict on it."""
    null: float = 0.0
    """Its value where there is no effect."""


PAIRED_DIFFERENCE = Statistic(
    name="paired_difference",
    unit=OF_THE_SCORE,
    sentence="How much a group's score with an attribute changed from the run before to this one.",
    equation="mean over templates of (score in this run - score in the other run), item by item",
    source="ours",
    caveat="It says that answers changed, not why, nor for better or worse; none that moved is no proof of no change.",
    scale=Scale.LOG,
)
"""Of two runs, so on no probe's card: the variant `run:N` names the run that is subtracted."""


@dataclass(frozen=True, slots=True)
class Card:
    """A probe: the model kinds that it runs on, the record tables that it writes, its phases and its statistics."""

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
    """The statistic of two groups with one attribute, which findings are told from."""
    ours: str
    """What in this method is this project's own and not the paper's."""
    item_unit: str = "natural log"
    """The unit of one item's score; a statistic of many items may be in another."""
    measured: str = "what a model associates in these templates, with these words"
    """What a run measures, as its page says it beside what it cannot tell."""
    compared: Statistic = PAIRED_DIFFERENCE
    """What two runs of it differ by, in words of its own where they are not compared item by item."""

    def unit_of(self, statistic: str) -> str:
        """The unit of a statistic of this card; empty for another."""
        return next((self.own(one).unit for one in self.statistics if one.name == statistic), "")

    def statistic(self, name: str) -> Statistic | None:
        """The statistic of that name, also that of the comparison of two runs."""
        return next((one for one in (*self.statistics, self.compared) if one.name == name), None)

    def own(self, statistic: Statistic) -> Statistic:
        """A statistic as this method has it: in the unit of the scores that it is made of, or in words of its own."""
        found = self.compared if statistic.name == self.compared.name else statistic
        return replace(found, unit=self.item_unit) if found.unit == OF_THE_SCORE else found
