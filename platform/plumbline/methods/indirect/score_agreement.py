"""How far two runs put the same scores in the same order, such as one with given names and one with generated ones.

The thesis (section 3.3.1) draws the names from the model in its first variant and uses a fixed list in its second.
"""

from dataclasses import dataclass
from statistics import median

import polars as pl

from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.methods.indirect.card import SCORE
from plumbline.methods.indirect.variants import estimator, stored
from plumbline.methods.indirect.words import materials_of
from plumbline.results import grid
from plumbline.spec.errors import InputError

FEWEST_TARGETS = 3


@dataclass(frozen=True, slots=True)
class Agreement:
    """Spearman's rank correlation of the scores of two runs in one list of features."""

    category: str
    cells: int
    """Targets with a feature that both runs could score."""
    over_cells: float | None
    """Over all cells. None if the scores of a run are all equal."""
    over_targets: float | None
    """The median over features of the correlation over targets: how similarly a feature orders the targets."""
    features: int


@dataclass(frozen=True, slots=True)
class Bridges:
    """The names of two runs."""

    first: frozenset[str]
    second: frozenset[str]

    @property
    def common(self) -> int:
        return len(self.first & self.second)


def rank_agreements(first: Run, second: Run) -> list[Agreement]:
    """Return the agreement for each list of features that both runs have, in their order.

    The cells of a target or a feature depend on each other, so there is no p-value. Raises InputError for runs whose
    scores are not alike, and for runs without a common cell.
    """
    _require_alike(first, second)
    of_first, of_second = (_scores(run) for run in (first, second))
    both = of_first.join(of_second, on=["category", "group_a", "attribute"], how="inner", suffix="_b")
    if both.is_empty():
        raise InputError(f"the runs {first.pk} and {second.pk} have no target and feature in common with a score.")
    return [_agreement(str(name), part) for (name,), part in both.group_by("category", maintain_order=True)]


def bridges_of(first: Run, second: Run) -> Bridges:
    """Return the names of two runs. Empty for a run without a valid spec."""
    found = [materials_of(run) for run in (first, second)]
    return Bridges(*(frozenset(one.name for one in own.names) if own else frozenset() for own in found))


def _require_alike(first: Run, second: Run) -> None:
    for run in (first, second):
        if run.probe != "indirect":
            raise InputError(f"run {run.pk} is of the probe {run.probe}: this compares two runs of the probe indirect.")
        if run.state != RunState.DONE:
            raise InputError(f"run {run.pk} is {run.state}: only finished runs can be compared.")
    if estimator(first) != estimator(second):
        raise InputError("one of these runs has the estimator for causal models, whose scores are not alike.")


def _scores(run: Run) -> pl.DataFrame:
    cells = grid.cells(run.pk, SCORE, stored(run, ""))
    return cells.select("category", "group_a", "attribute", "value").filter(pl.col("value").is_not_null())


def _agreement(category: str, cells: pl.DataFrame) -> Agreement:
    by_feature = [part for _, part in cells.group_by("attribute", maintain_order=True) if len(part) >= FEWEST_TARGETS]
    found = [one for part in by_feature if (one := _spearman(part)) is not None]
    middle = median(found) if found else None
    return Agreement(category, len(cells), _spearman(cells), middle, len(found))


def _spearman(cells: pl.DataFrame) -> float | None:
    if len(cells) < FEWEST_TARGETS or cells["value"].n_unique() < 2 or cells["value_b"].n_unique() < 2:
        return None
    return float(cells.select(pl.corr("value", "value_b", method="spearman")).item())
