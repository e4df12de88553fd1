"""Runs of the probe without a database: all its shards asked, and their records read back as a summary reads them."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from plumbline.methods.indirect.spec import IndirectSpec
from plumbline.spec.audit import parse
from workers.probes.indirect.probe import IndirectProbe
from workers.probes.protocol import Model, Read

NUMBERS = {"log_p_target": pl.Float64, "log_p_prior": pl.Float64, "score": pl.Float64, "reason": pl.String}
Tables = Mapping[str, pl.DataFrame]


def probe() -> IndirectProbe:
    return IndirectProbe()


def indirect(spec: dict[str, Any], **other: Any) -> IndirectSpec:
    found = parse({"name": "test", "probe": "indirect", "model": "path:./model", **spec, **other})
    assert isinstance(found, IndirectSpec)
    return found


def asked(spec: IndirectSpec, model: Model) -> Tables:
    """The records by table."""
    memo, found = dict[Any, Any](), dict[str, list[pl.DataFrame]]()
    planned = probe().plan(spec, {}, model.checkpoint)
    for shard in planned.shards:
        for table, rows in probe().execute(spec, {}, shard.items, model, memo, lambda _: None).items():
            frame = pl.DataFrame(rows, schema_overrides=NUMBERS)
            assert shard.rows == {table: frame.height}
            assert {
                text for column in frame.select(pl.col(pl.String)) for text in column.drop_nulls()
            } <= planned.labels
            found.setdefault(table, []).append(frame)
    return {table: pl.concat(frames) for table, frames in found.items()}


def read_of(tables: Tables) -> Read:
    def read(table: str, *, group_by: Sequence[str] = (), **where: Any) -> pl.DataFrame:
        assert not group_by
        chosen = {key: value if isinstance(value, list) else [value] for key, value in where.items()}
        return tables[table].filter(*(pl.col(key).is_in(wanted) for key, wanted in chosen.items()))

    return read
