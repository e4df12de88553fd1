"""Emergent traits compared with a curator's list: precision and recall, and those of a guess (Cao et al. 2022, 5.2)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from plumbline.spec.content import Attribute
from plumbline.spec.materials import Materials
from plumbline.spec.measure import Measure, join_reasons
from workers.analyses.intersections.emergent import Emergence
from workers.analyses.intersections.members import Members
from workers.analyses.intersections.order import measure_of
from workers.statistics.crossed import Crossed, crossed_ratio
from workers.statistics.resampling import Resampling

POLES = {"low": "left", "high": "right"}
"""How a curated word names all attributes of one pole: "low Communion" is the left pole, "high Communion" the right."""
GUESSED = "a guess that takes as many at random"
Truths = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Curated:
    """What the curated words say about pairs and attributes."""

    emergent: Truths
    """Whether an attribute is listed as emergent, [pairs, attributes]."""
    asked: Truths
    """Cells that the list covers: its pairs, with the attributes of the dimensions that it names for any pair."""
    unknown: tuple[str, ...]
    """Words that are neither an attribute nor a pole of the run."""


def curated_of(materials: Materials, members: Members) -> Curated:
    """Return the curated emergent traits, from the column `emergent` of the run's pairs.

    A word is an attribute's text, or "low" or "high" with a dimension.
    """
    words = [materials.groups[pair].emergent for pair in members.pairs]
    named = {word: _attributes(materials.attributes, word) for listed in words for word in listed}
    nothing = np.zeros(len(materials.attributes), dtype=bool)
    emergent = np.array([np.any([nothing, *(named[word] for word in listed)], axis=0) for listed in words])
    dimensions = {materials.attributes[at].dimension for at in np.flatnonzero(np.any([nothing, *emergent], axis=0))}
    of_these = np.array([attribute.dimension in dimensions for attribute in materials.attributes])
    speaks = np.array([bool(listed) for listed in words])
    unknown = tuple(word for word, found in named.items() if not found.any())
    return Curated(emergent, speaks[:, None] & of_these, unknown)


def _attributes(attributes: Sequence[Attribute], word: str) -> Truths:
    """Return which attributes a curated word names, [attributes]."""
    meant = word.casefold()
    pole, _, dimension = meant.partition(" ")
    return np.array(
        [
            attribute.text.casefold() == meant
            or (attribute.dimension.casefold() == dimension and attribute.pole == POLES.get(pole, "?"))
            for attribute in attributes
        ]
    )


def against_curated(materials: Materials, members: Members, found: Emergence, how: Resampling) -> Iterable[Measure]:
    """Yield precision and recall of "above both components" over the cells that the list covers.

    Nothing without a list.
    The guess is given by its expectation: its precision is the listed share, its recall the share that it takes.
    """
    if not any(materials.groups[pair].emergent for pair in members.pairs):
        return
    curated = curated_of(materials, members)
    above = found.above.reshape(curated.asked.shape)
    asked = curated.asked & ~np.isnan(above)
    taken, listed = asked & (above > 0), asked & curated.emergent
    speaking = np.logical_or.reduce(asked, axis=1)
    pairs = Crossed(members.first, members.second).only(speaking)
    for statistic, condition, part, whole in (
        ("emergent_precision", "model", taken & listed, taken),
        ("emergent_precision", "chance", listed, asked),
        ("emergent_recall", "model", taken & listed, listed),
        ("emergent_recall", "chance", taken, asked),
    ):
        parts, wholes = (cells[speaking].sum(axis=1).astype(np.float64) for cells in (part, whole))
        measure = measure_of(crossed_ratio(parts, wholes, pairs, how), statistic=statistic, condition=condition)
        yield replace(measure, reason=_reason(measure, condition, curated.unknown))


def _reason(measure: Measure, condition: str, unknown: Sequence[str]) -> str:
    lost = f"no attribute or pole of this run: {', '.join(unknown[:5])}{', ...' if len(unknown) > 5 else ''}"
    own = GUESSED if condition == "chance" and measure.value is not None else measure.reason
    return join_reasons(own, lost if unknown else "")
