"""Asks: the queries for one log probability."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from plumbline.spec.grammar import Rendered
from workers.engine.causal import CausalQuery
from workers.engine.masked import MaskedQuery
from workers.engine.sentences import Encoded, Sentence
from workers.probes.cell_scores.cells import Cell

Query = MaskedQuery | CausalQuery


@dataclass(frozen=True, slots=True)
class Ask:
    """One log probability: the sum of its queries' answers. An ask with a fault cannot be scored."""

    queries: tuple[Query, ...]
    n_tokens: int
    fault: str = ""


class Asker(Protocol):
    """A method on one kind of model: the asks for a cell and for its prior."""

    def targets(self, cells: Sequence[Cell]) -> list[Ask]: ...

    def priors(self, cells: Sequence[Cell]) -> list[tuple[Ask, ...]]:
        """Return the prior's asks of each cell. Of several, the prior is the logarithm of their mean probability."""
        ...


Encode = Callable[[Sequence[Sentence]], list[Encoded]]


def as_sentence(rendered: Rendered, prefix: str = "") -> Sentence:
    """Return the engine's sentence with the spans of group and attribute, in this order, after `prefix`."""
    spans = (*rendered.spans_of("group"), *rendered.spans_of("attribute"))
    return Sentence(prefix + rendered.text, tuple((start + len(prefix), end + len(prefix)) for start, end in spans))


def log_probability(ask: Ask, answers: dict[Query, float]) -> float:
    """Return the natural log probability; NaN for an ask with a fault."""
    return float("nan") if ask.fault else float(sum(answers[query] for query in ask.queries))


def log_mean_probability(asks: Sequence[Ask], answers: dict[Query, float]) -> float:
    """Return the natural log of the mean probability over asks without a fault."""
    values: npt.NDArray[np.float64] = np.array([log_probability(ask, answers) for ask in asks])
    return float(np.logaddexp.reduce(values) - np.log(len(values)))


def fault_of(target: Ask, prior: Sequence[Ask]) -> str:
    """Return why the cell cannot be scored; empty if it can."""
    if target.fault:
        return target.fault
    if len(prior) == 1:
        return f"prior: {prior[0].fault}" if prior[0].fault else ""
    return next((f"mean prior: {ask.fault}" for ask in prior if ask.fault), "")
