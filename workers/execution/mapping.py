"""Maps of a run's targets by their scores with the features of one list."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from django.db import transaction

from plumbline.audits import questions
from plumbline.audits.models import MapRequest
from plumbline.results import grid
from plumbline.spec.errors import InputError
from workers.execution.heartbeat import Hold
from workers.execution.worker import Worker
from workers.statistics.maps import NoMapError, layout
from workers.statistics.units import Floats

NO_SCORE = "no score with any feature of the list"


@dataclass(frozen=True)
class Vectors:
    """Scores of targets (rows) with those features (columns) that have a score with each of them."""

    targets: tuple[str, ...]
    values: Floats
    """float64 [targets, features]"""
    left_out: tuple[str, ...]
    """Targets without any score."""
    features_left_out: int


def lay_out(_worker: Worker, hold: Hold) -> None:
    """Compute the map outside of any transaction, then answer in a short one. Raises InputError without a map."""
    began = time.monotonic()
    asked = hold.lease.row
    assert isinstance(asked, MapRequest)  # noqa: S101 -- for the type checker
    found = vectors_of(_cells(asked))
    hold.check()
    try:
        placed = layout(found.values, asked.method, parameter=asked.parameter, seed=asked.seed)
    except NoMapError as error:
        raise InputError(str(error)) from error
    with transaction.atomic():
        questions.answer(
            hold.lease,
            time.monotonic() - began,
            positions=_rows(found.targets, placed.positions),
            left_out=[[target, NO_SCORE] for target in found.left_out],
            features=found.values.shape[1],
            features_left_out=found.features_left_out,
            parameter_used=placed.parameter,
            told=placed.note,
            explained=list(placed.explained),
        )


def _cells(asked: MapRequest) -> pl.DataFrame:
    cells = grid.cells(asked.run_id, asked.statistic, asked.variant or None)
    cells = cells.filter((pl.col("category") == asked.category) & (pl.col("group_b") == ""))
    if cells.is_empty():
        raise InputError(f"Run {asked.run_id} has no scores of this kind with features of the list {asked.category!r}.")
    if cells.select("group_a", "attribute").is_duplicated().any():
        raise InputError(f"Run {asked.run_id} has several variants of {asked.statistic}: choose one.")
    return cells


def vectors_of(cells: pl.DataFrame) -> Vectors:
    """Return the scores of targets (`group_a`) with all features (`attribute`) that have one with every target.

    Targets without any score are left out first, because they would exclude all features.
    """
    targets, features = (list(dict.fromkeys(cells[name])) for name in ("group_a", "attribute"))
    values = np.full((len(targets), len(features)), np.nan)
    values[_places(cells["group_a"], targets), _places(cells["attribute"], features)] = (
        cells["value"].cast(pl.Float64).fill_null(float("nan")).to_numpy()
    )
    placed = ~np.isnan(values).all(axis=1)
    whole = ~np.isnan(values[placed]).any(axis=0)
    return Vectors(
        targets=tuple(np.array(targets, dtype=object)[placed]),
        values=values[placed][:, whole],
        left_out=tuple(np.array(targets, dtype=object)[~placed]),
        features_left_out=int((~whole).sum()),
    )


def _places(labels: pl.Series, known: Sequence[str]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return labels.replace_strict(list(known), range(len(known)), return_dtype=pl.Int64).to_numpy()


def _rows(targets: Sequence[str], positions: Floats) -> list[list[str | float]]:
    return [[target, float(x), float(y)] for target, (x, y) in zip(targets, positions, strict=True)]
