"""A run's figures beside the printed ones, group by group. Pure functions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from plumbline.analyses.alignment.replication import printed
from plumbline.analyses.alignment.tables import OfGroup

Value = float | None
LEAST_GROUPS = 5


@dataclass(frozen=True, slots=True)
class Row:
    """One group of the paper: by table, our value, then those of the paper's models."""

    group: str
    ours: str
    """What the run calls the group; "" if it has none or no value."""
    cells: tuple[tuple[str, Value, tuple[Value, ...]], ...]
    """Table, our value, and the printed ones."""


def rows(own: Sequence[OfGroup], measure: str) -> list[Row]:
    """Return the paper's groups in its order. Groups match by label, whatever the case."""
    found = {one.group.casefold(): one for one in own}
    theirs = {table: printed.of_groups(table, measure) for table in printed.TABLES}
    return [_row(group, found.get(group.casefold()), theirs) for group in printed.groups()]


def _row(group: str, own: OfGroup | None, theirs: Mapping[str, Mapping[tuple[str, str], Value]]) -> Row:
    ours = {"A11": own.tau.value, "A12": own.shares[1], "A13": own.shares[2]} if own else {}
    cells = tuple(
        (table, ours.get(table), tuple(figures.get((group, model)) for model in printed.MODELS))
        for table, figures in theirs.items()
    )
    return Row(group, own.group if own else "", cells)


@dataclass(frozen=True, slots=True)
class Correlation:
    """Pearson's r over groups between our tau and that of one of the paper's models. It has no test: few groups."""

    model: str
    r: float
    groups: int


def correlations(found: Sequence[Row]) -> list[Correlation]:
    """Return the correlation with each of the paper's models that has at least five groups in common."""
    both = ((model, _pairs(found, place)) for place, model in enumerate(printed.MODELS))
    return [
        Correlation(model, float(np.corrcoef(np.array(pairs).T)[0, 1]), len(pairs))
        for model, pairs in both
        if len(pairs) >= LEAST_GROUPS and all(len(set(values)) > 1 for values in zip(*pairs, strict=True))
    ]


def _pairs(found: Sequence[Row], place: int) -> list[tuple[float, float]]:
    taus = [(ours, theirs[place]) for row in found for table, ours, theirs in row.cells if table == "A11"]
    return [(ours, theirs) for ours, theirs in taus if ours is not None and theirs is not None]
