"""An item as pages show it: with its sentence, its probabilities and where it counts."""

import math
from dataclasses import dataclass
from urllib.parse import urlencode

from plumbline.audits.models import Run
from plumbline.results.items import Item
from plumbline.spec.registry import PROBES
from plumbline.spec.sentences import Piece, Words


@dataclass(frozen=True, slots=True)
class Reading:
    """What a run read of the model for each item, with the target named and with the prior."""

    name: str
    what: str


LOG_P = Reading("log p", "natural logarithm of a probability")
DISTANCE = Reading("distance", "least change of the last layer that puts the word on top, squared Frobenius norm")
NORM = Reading("distance", "least change of the last layer that puts the word on top, Frobenius norm")
_OF_VECTORS = ("weat", "ceat")


def reading_of(run: Run) -> Reading | None:
    """None where the score is a cosine of two vectors, which has no parts to show."""
    if run.probe in _OF_VECTORS:
        return None
    if run.probe != "set":
        return LOG_P
    params: dict[str, object] = run.spec.get("params") or {}
    return NORM if params.get("variant") == "released_code" else DISTANCE


def unit_of_score(run: Run) -> str:
    """Of one item: a measure may have another (preference's is a share of such items)."""
    return PROBES[run.probe].card.item_unit if run.probe in PROBES else "unit not known"


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
