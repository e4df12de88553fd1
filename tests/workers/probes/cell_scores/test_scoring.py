"""What a worker keeps of a run's priors from one shard to the next."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from plumbline.spec.content import Attribute, Group
from plumbline.spec.materials import Materials
from workers.engine.masked import MaskedQuery
from workers.probes.cell_scores.asks import Ask, Query
from workers.probes.cell_scores.cells import Cell, all_cells
from workers.probes.cell_scores.readings import LogProbabilities
from workers.probes.cell_scores.scoring import Priors, score
from workers.probes.protocol import Columns

MATERIALS = Materials(
    templates=("All {group.plural} are {attribute}.", "Some {group.plural} are {attribute}."),
    groups=tuple(Group(label=label, plural=label) for label in ("women", "men", "girls")),
    attributes=(Attribute(text="warm"), Attribute(text="poor")),
    categories=("", ""),
)


class Counting:
    """Asks one query for each cell, and one for its prior; counts the cells whose priors were asked for."""

    def __init__(self) -> None:
        self.priors_of: list[Cell] = []
        self.answered: list[Query] = []

    def targets(self, cells: Sequence[Cell]) -> list[Ask]:
        return [Ask((MaskedQuery(cell, 0, 1),), 1) for cell in cells]

    def priors(self, cells: Sequence[Cell]) -> list[tuple[Ask, ...]]:
        self.priors_of += cells
        return [(Ask((MaskedQuery((template, 9, attribute), 0, 1),), 1),) for template, _, attribute in cells]

    def answer(self, queries: list[Query], _: int) -> npt.NDArray[np.float64]:
        self.answered += queries
        return np.array([-float(sum(query.ids)) for query in queries if isinstance(query, MaskedQuery)])


def scored(cells: Sequence[Cell], asker: Counting, memo: Priors) -> Columns:
    return score(MATERIALS, cells, asker, LogProbabilities(), asker.answer, memo)


def test_each_prior_is_tokenized_and_answered_once_for_all_shards() -> None:
    asker, memo, cells = Counting(), Priors(), all_cells(MATERIALS)
    for group in range(3):
        scored([cell for cell in cells if cell[1] == group], asker, memo)
    assert sorted(asker.priors_of) == sorted(cells)
    assert len(asker.answered) == len(set(asker.answered)) == len(cells) + 2 * 2


def test_a_score_is_the_target_minus_its_prior() -> None:
    cells = all_cells(MATERIALS)
    records = scored(cells, Counting(), Priors())
    assert records["log_p_target"] == [-sum(cell) for cell in cells]
    # In the prior 9 stands in the group's place.
    assert records["log_p_prior"] == [-(template + 9 + attribute) for template, _, attribute in cells]
    assert records["score"] == [9 - group for _, group, _ in cells]


def test_records_are_the_same_whatever_shards_came_before() -> None:
    cells = [cell for cell in all_cells(MATERIALS) if cell[1] == 2]
    memo = Priors()
    scored([cell for cell in all_cells(MATERIALS) if cell[1] != 2], Counting(), memo)
    assert scored(cells, Counting(), memo) == scored(cells, Counting(), Priors())


def test_priors_that_the_targets_answer_are_not_asked_for() -> None:
    class OfItself(Counting):
        def priors(self, cells: Sequence[Cell]) -> list[tuple[Ask, ...]]:
            return [(ask,) for ask in self.targets(cells)]

    asker = OfItself()
    records = scored(all_cells(MATERIALS), asker, Priors())
    assert len(asker.answered) == len(MATERIALS)
    assert set(records["score"]) == {0.0}
