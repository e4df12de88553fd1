"""Readings: the numbers that an association probe takes from the model, and those stored in a record."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, cast

import numpy as np
import numpy.typing as npt
from scipy.special import logsumexp

from plumbline.spec.association import AssociationSpec
from workers.engine.causal import CausalModel, CausalQuery
from workers.engine.masked import MaskedModel, MaskedQuery
from workers.engine.vocabulary import released_classes
from workers.probes.broken_weights import broken_weights
from workers.probes.cell_scores.asks import Ask, Query, log_mean_probability, log_probability
from workers.probes.protocol import Model, Progress

Floats = npt.NDArray[np.float64]
ZERO = "the model gives it probability 0"


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers of target and prior in a record, and the score or the reason for its absence."""

    target: float | None
    prior: float | None
    score: float | None
    reason: str = ""


class Reading(Protocol):
    """A method's reading of the model, and the part of it that a record stores."""

    @property
    def columns(self) -> tuple[str, str]:
        """The columns of records for the target's and the prior's numbers."""
        ...

    def answers(self, model: Model, queries: Sequence[Query], progress: Progress) -> Floats:
        """Return the answers, [queries]. Raises ModelError for NaN, because the records would look unscorable."""
        ...

    def numbers(self, target: Ask, prior: Sequence[Ask], answers: dict[Query, float]) -> Numbers:
        """Return the numbers of asks without a fault."""
        ...

    def associations(self, recorded: Floats) -> Floats:
        """Return the associations, whose difference (target minus prior) is the score, from a column of the records."""
        ...

    def mean_association(self, associations: Floats, axis: int) -> Floats:
        """Return the common prior of the words along an axis, which is kept; NaN is ignored."""
        ...


@dataclass(frozen=True, slots=True)
class LogProbabilities:
    """The reading of natural logarithms: the score is log p of the target minus that of the prior."""

    columns: tuple[str, str] = ("log_p_target", "log_p_prior")

    def answers(self, model: Model, queries: Sequence[Query], progress: Progress) -> Floats:
        answers = _log_probabilities(model, queries, progress)
        if np.isnan(answers).any():
            raise broken_weights(model, "log probabilities")
        return answers

    def numbers(self, target: Ask, prior: Sequence[Ask], answers: dict[Query, float]) -> Numbers:
        log_p_target = log_probability(target, answers)
        log_p_prior = log_mean_probability(prior, answers) if len(prior) > 1 else log_probability(prior[0], answers)
        if not (math.isfinite(log_p_target) and math.isfinite(log_p_prior)):
            return Numbers(None, None, None, ZERO)
        return Numbers(log_p_target, log_p_prior, log_p_target - log_p_prior)

    def associations(self, recorded: Floats) -> Floats:
        return recorded

    def mean_association(self, associations: Floats, axis: int) -> Floats:
        """Return the natural logarithm of the mean probability along an axis, which is kept; NaN is ignored."""
        known = ~np.isnan(associations)
        with np.errstate(divide="ignore", invalid="ignore"):  # if nothing is known
            total = logsumexp(np.where(known, associations, -np.inf), axis=axis, keepdims=True)
            return np.asarray(total - np.log(known.sum(axis=axis, keepdims=True)))


def log_probabilities(_: AssociationSpec) -> LogProbabilities:
    """Return the reading, which is the same for every spec."""
    return LogProbabilities()


def _log_probabilities(model: Model, queries: Sequence[Query], progress: Progress) -> Floats:
    if isinstance(model, MaskedModel):
        asked = cast("Sequence[MaskedQuery]", queries)
        normalised = any(query.within for query in asked)
        classes = released_classes(model.tokenizer, model.vocabulary_size) if normalised else None
        return model.log_probabilities(asked, classes, progress)
    assert isinstance(model, CausalModel)  # noqa: S101 -- asker_for refused every other kind
    return model.log_probabilities(cast("Sequence[CausalQuery]", queries), progress)
