"""From cells to association records: ask, answer all distinct queries at once, subtract."""

import math
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from plumbline.spec.association import Materials
from workers.probes.association.asks import Ask, Asker, Query, fault_of, log_mean_probability, log_probability
from workers.probes.association.cells import Cell, cells_of
from workers.probes.protocol import Columns

Answer = Callable[[list[Query], int], npt.NDArray[np.float64]]
"""Answers queries, and reports so many items as done on the way."""
Priors = dict[int, dict[Query, float]]
ZERO = "the model gives it probability 0"


def score(materials: Materials, cells: Sequence[Cell], asker: Asker, answer: Answer, memo: Priors) -> Columns:
    """Records of `association` in the order of the cells; `memo` keeps the priors of each template for later shards.

    What is asked together depends on the shard and the run alone, never on what the memo holds already: the last bits
    of a float depend on the batch, and a run that was disturbed must end with the same records.
    """
    targets, priors = asker.targets(cells), asker.priors(cells)
    answers = _answered(targets, answer, len(cells))
    if any(query not in answers for asks in priors for ask in asks for query in ask.queries):
        for template in dict.fromkeys(template for template, _, _ in cells):
            if template not in memo:
                asks = asker.priors(cells_of(materials, template))
                memo[template] = _answered([ask for several in asks for ask in several], answer, 0)
            answers = memo[template] | answers
    return _columns(materials, cells, [_record(*asks, answers) for asks in zip(targets, priors, strict=True)])


def _answered(asks: Sequence[Ask], answer: Answer, items: int) -> dict[Query, float]:
    queries = list(dict.fromkeys(query for ask in asks for query in ask.queries))
    return dict(zip(queries, answer(queries, items).tolist(), strict=True))


Record = tuple[float | None, float | None, float | None, int, str]


def _record(target: Ask, prior: tuple[Ask, ...], answers: dict[Query, float]) -> Record:
    """log p target, log p prior, score, n_tokens, reason; the numbers are empty where the reason is not."""
    if reason := fault_of(target, prior):
        return None, None, None, target.n_tokens, reason
    log_p_target = log_probability(target, answers)
    log_p_prior = log_mean_probability(prior, answers) if len(prior) > 1 else log_probability(prior[0], answers)
    if not (math.isfinite(log_p_target) and math.isfinite(log_p_prior)):
        return None, None, None, target.n_tokens, ZERO
    return log_p_target, log_p_prior, log_p_target - log_p_prior, target.n_tokens, ""


def _columns(materials: Materials, cells: Sequence[Cell], records: Sequence[Record]) -> Columns:
    log_p_target, log_p_prior, scores, n_tokens, reasons = (list(column) for column in zip(*records, strict=True))
    return {
        "template": [materials.templates[template] for template, _, _ in cells],
        "group": [materials.groups[group].label for _, group, _ in cells],
        "attribute": [materials.attributes[attribute].text for _, _, attribute in cells],
        "log_p_target": log_p_target,
        "log_p_prior": log_p_prior,
        "score": scores,
        "n_tokens": n_tokens,
        "scorable": [not reason for reason in reasons],
        "reason": [reason or None for reason in reasons],
    }
