"""Distances instead of probabilities: how far the last layer is from ranking a word first (Cao et al. 2022, 3.1)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from plumbline.methods.association.sensitivity_test import SetSpec
from workers.engine.causal import CausalModel, CausalQuery
from workers.engine.masked import MaskedModel, MaskedQuery
from workers.probes.broken_weights import broken_weights
from workers.probes.cell_scores.asks import Ask, Query
from workers.probes.cell_scores.readings import Floats, Numbers
from workers.probes.protocol import Model, Progress
from workers.statistics.known import mean_of_known

ON_TOP = "it is the model's top word by the margin already: the distance is 0, and its logarithm is not defined"
TOO_FAR = "the distance is 1 or more, so that log(1 - distance) is not defined"


@dataclass(frozen=True, slots=True)
class Distances:
    """The reading of distances, of which the largest over subwords counts.

    paper           distance = ||A' - A||^2      score = -log(target / prior)
    released_code   distance = ||W' - W||        score = log(1 - target) - log(1 - prior),   W = [A, bias]
    """

    margin: float
    released: bool
    columns: tuple[str, str] = ("distance_target", "distance_prior")

    def answers(self, model: Model, queries: Sequence[Query], progress: Progress) -> Floats:
        if isinstance(model, MaskedModel):
            asked = cast("Sequence[MaskedQuery]", queries)
            squares = model.distances(asked, self.margin, with_bias=self.released, progress=progress)
        else:
            assert isinstance(model, CausalModel)  # noqa: S101 -- asker_for refused every other kind
            follow = cast("Sequence[CausalQuery]", queries)
            squares = model.distances(follow, self.margin, with_bias=self.released, progress=progress)
        if not np.isfinite(squares).all():
            raise broken_weights(model, "logits and hidden states")
        return np.sqrt(squares) if self.released else squares

    def numbers(self, target: Ask, prior: Sequence[Ask], answers: dict[Query, float]) -> Numbers:
        of_target, of_prior = (max(answers[query] for query in ask.queries) for ask in (target, prior[0]))
        reason = self._fault(of_target) or (self._fault(of_prior) and f"prior: {self._fault(of_prior)}")
        score = None if reason else self._association(of_target) - self._association(of_prior)
        return Numbers(of_target, of_prior, score, reason)

    def associations(self, recorded: Floats) -> Floats:
        return np.asarray(np.log1p(-recorded) if self.released else -np.log(recorded))

    def mean_association(self, associations: Floats, axis: int) -> Floats:
        """Return the mean of the logarithms along an axis, because distances have no mean probability."""
        return np.expand_dims(mean_of_known(associations, axis), axis)

    def _association(self, distance: float) -> float:
        return math.log1p(-distance) if self.released else -math.log(distance)

    def _fault(self, distance: float) -> str:
        if self.released:
            return TOO_FAR if distance >= 1 else ""
        return "" if distance > 0 else ON_TOP


def distances(spec: SetSpec) -> Distances:
    """Return the reading of distances with the spec's params."""
    return Distances(spec.params.margin, spec.params.variant == "released_code")
