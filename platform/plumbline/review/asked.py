"""An item as pages show it: with its sentence, its probabilities and where it counts."""

import math
from dataclasses import dataclass
from urllib.parse import urlencode

from plumbline.results.items import Item
from plumbline.review.sentences import Piece, Words


@dataclass(frozen=True, slots=True)
class Asked:
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
        """The query that opens the cell of the grid in which this item counts."""
        return urlencode({"group": self.item.group, "attribute": self.item.attribute})


def asked(item: Item, words: Words) -> Asked:
    return Asked(item, words.sentence(item.template, item.group, item.attribute))


def _probability(log_p: float | None) -> float | None:
    return None if log_p is None else math.exp(log_p)
