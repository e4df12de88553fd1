"""Items as pages show them: with their sentences, probabilities and cells."""

import math
from dataclasses import dataclass
from urllib.parse import urlencode

from plumbline.audits.models import Run
from plumbline.results.items import Item
from plumbline.spec.registry import PROBES
from plumbline.spec.sentences import Piece, Words


def unit_of_score(run: Run) -> str:
    """Return the unit of one item's score. Measures may have another unit (preference is a share of items)."""
    return PROBES[run.probe].card.item_unit if run.probe in PROBES else "unit not known"


@dataclass(frozen=True, slots=True)
class DisplayedItem:
    """An item with its sentence."""

    item: Item
    pieces: list[Piece]

    @property
    def p_target(self) -> float | None:
        return _probability(self.item.log_p_target)

    @property
    def p_prior(self) -> float | None:
        return _probability(self.item.log_p_prior)

    @property
    def address(self) -> str:
        """The query that opens the cell of the grid to which this item belongs."""
        return urlencode({"group": self.item.group, "attribute": self.item.attribute})


def pin_address(run: Run, item: Item) -> str:
    """Return the query that pins an item as a finding: the score of its group and attribute in its template."""
    score = PROBES[run.probe].card.score if run.probe in PROBES else ""
    labels = {"statistic": score, "group_a": item.group, "attribute": item.attribute, "template": item.template}
    return urlencode(labels)


def displayed(item: Item, words: Words) -> DisplayedItem:
    return DisplayedItem(item, words.sentence(item.template, item.group, item.attribute))


def _probability(log_p: float | None) -> float | None:
    return None if log_p is None else math.exp(log_p)
