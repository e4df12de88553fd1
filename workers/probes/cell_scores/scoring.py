"""Association records of cells: ask, answer all distinct queries at once, compare."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from plumbline.spec.materials import Materials
from workers.probes.cell_scores.asks import Ask, Asker, Query, fault_of
from workers.probes.cell_scores.cells import Cell, cells_of
from workers.probes.cell_scores.readings import Numbers, Reading
from workers.probes.protocol import Columns

Answer = Callable[[list[Query], int], npt.NDArray[np.float64]]
"""A function that answers queries and reports the given number of items as done."""


@dataclass(slots=True)
class Prior:
    """The priors of one template's cells, and their answers, which are cached at first use."""

    asks: dict[Cell, tuple[Ask, ...]]
    answers: dict[Query, float] = field(default_factory=dict)

    def answered(self, answer: Answer) -> dict[Query, float]:
        if not self.answers:
            self.answers = _answered([ask for several in self.asks.values() for ask in several], answer, 0)
        return self.answers


Priors = dict[int, Prior]
"""Priors by template."""


def score(
    materials: Materials, cells: Sequence[Cell], asker: Asker, reading: Reading, answer: Answer, memo: Priors | None
) -> Columns:
    """Return records of `association` in the order of the cells; `memo` keeps each template's priors for later shards.

    Without a memo, only the priors of these cells are queried. Which queries are asked together depends only on the
    shard and the run, never on the memo. The last bits of a float depend on the batch, and a run that was disturbed
    must end with the same records.
    """
    memo = _own_priors(cells, asker) if memo is None else memo
    targets, priors = asker.targets(cells), _priors(materials, cells, asker, memo)
    answers = _answered(targets, answer, len(cells))
    if any(query not in answers for asks in priors for ask in asks for query in ask.queries):
        of_cells = answers
        answers = {}
        for template in dict.fromkeys(template for template, _, _ in cells):
            answers |= memo[template].answered(answer)
        answers |= of_cells
    found = [_numbers(reading, *asks, answers) for asks in zip(targets, priors, strict=True)]
    return {
        **_labels(materials, cells),
        reading.columns[0]: [one.target for one in found],
        reading.columns[1]: [one.prior for one in found],
        "score": [one.score for one in found],
        "n_tokens": [target.n_tokens for target in targets],
        "scorable": [not one.reason for one in found],
        "reason": [one.reason or None for one in found],
    }


def _priors(materials: Materials, cells: Sequence[Cell], asker: Asker, memo: Priors) -> list[tuple[Ask, ...]]:
    """Return the priors' asks. A whole template is tokenized at once, because its cells share most of them."""
    for template in {template for template, _, _ in cells} - memo.keys():
        memo[template] = _prior(cells_of(materials, template), asker)
    return [memo[cell[0]].asks[cell] for cell in cells]


def _own_priors(cells: Sequence[Cell], asker: Asker) -> Priors:
    by_template: dict[int, list[Cell]] = defaultdict(list)
    for cell in cells:
        by_template[cell[0]].append(cell)
    return {template: _prior(own, asker) for template, own in by_template.items()}


def _prior(cells: Sequence[Cell], asker: Asker) -> Prior:
    return Prior(dict(zip(cells, asker.priors(cells), strict=True)))


def _answered(asks: Sequence[Ask], answer: Answer, items: int) -> dict[Query, float]:
    queries = list(dict.fromkeys(query for ask in asks for query in ask.queries))
    return dict(zip(queries, answer(queries, items).tolist(), strict=True))


def _numbers(reading: Reading, target: Ask, prior: tuple[Ask, ...], answers: dict[Query, float]) -> Numbers:
    if reason := fault_of(target, prior):
        return Numbers(None, None, None, reason)
    return reading.numbers(target, prior, answers)


def _labels(materials: Materials, cells: Sequence[Cell]) -> Columns:
    return {
        "template": [materials.templates[template] for template, _, _ in cells],
        "group": [materials.groups[group].label for _, group, _ in cells],
        "attribute": [materials.attributes[attribute].text for _, _, attribute in cells],
    }
