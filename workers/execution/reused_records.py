"""Records of a shard by item: taken from earlier runs that hold them, the others from the model."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from plumbline.audits.models import Run
from plumbline.results import reading
from plumbline.results.columns import VIEWS
from workers.execution.worker import Source
from workers.probes.protocol import Columns

PLACE = "place of the item"
OF_A_RUN = ("id", "run", "shard")
"""The columns in which a record depends on its run."""


@dataclass(frozen=True, slots=True)
class Reused:
    """Records by table, and the labels of the items that no run holds."""

    records: Mapping[str, pl.DataFrame]
    missing: pl.DataFrame

    @property
    def rows(self) -> int:
        return sum(len(one) for one in self.records.values())


def reused_records(sources: Sequence[Source], labels: pl.DataFrame, tables: Iterable[str]) -> Reused:
    """Return the records that the sources hold of these items, each item from the first source that has it.

    Records are ordered by their ids.
    """
    found: dict[str, list[pl.DataFrame]] = {table: [] for table in tables}
    missing = labels
    for source in sources:
        wanted = missing.filter(pl.col(column).is_in(list(source.same[column])) for column in missing.columns)
        for table, records in _held(source.run, wanted, tuple(found)).items():
            found[table].append(records)
            missing = missing.join(records, on=labels.columns, how="anti", maintain_order="left")
    return Reused({table: pl.concat(some) for table, some in found.items() if some}, missing)


def _held(run: int, wanted: pl.DataFrame, tables: Sequence[str]) -> dict[str, pl.DataFrame]:
    """Return a run's records of the wanted items by table; empty if the run was deleted meanwhile.

    Records are first selected by label, for which the tables have an index.
    """
    if wanted.is_empty():
        return {}
    where = {column: wanted[column].unique().to_list() for column in wanted.columns}
    found = {table: reading.read(run, table, **where).sort("id") for table in tables}
    if not Run.objects.filter(pk=run).exists():
        return {}
    return {table: records.join(wanted, on=wanted.columns, how="semi") for table, records in found.items()}


def in_order(labels: pl.DataFrame, reused: Reused, asked: Mapping[str, Columns]) -> dict[str, Columns]:
    """Return all records of a shard by table, in the order of its items, as if the model had answered every item."""
    places = labels.with_row_index(PLACE)
    return {table: _in_order(table, places, reused, asked) for table in {*reused.records, *asked}}


def _in_order(table: str, places: pl.DataFrame, reused: Reused, asked: Mapping[str, Columns]) -> Columns:
    kinds = {name: kind for name, kind in VIEWS[table].items() if name not in OF_A_RUN}
    columns = reused.missing.columns
    parts = [reused.records[table].select(*kinds)] if table in reused.records else []
    if table in asked:
        parts.append(_frame(kinds, asked[table]).join(reused.missing, on=columns, how="semi"))
    ordered = pl.concat(parts).join(places, on=columns, maintain_order="left").sort(PLACE, maintain_order=True)
    return ordered.select(*kinds).to_dict(as_series=False)


def _frame(kinds: Mapping[str, Any], columns: Columns) -> pl.DataFrame:
    """Return a probe's records as a frame, with NULL for NaN and for columns that the probe does not have."""
    rows = len(next(iter(columns.values())))
    values = {name: columns.get(name, [None] * rows) for name in kinds}
    listed = {name: one.tolist() if isinstance(one, np.ndarray) else one for name, one in values.items()}
    return pl.DataFrame(listed, schema=dict(kinds)).fill_nan(None)
