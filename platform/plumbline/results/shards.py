"""Copying of a shard's records for a run that reuses a done shard."""

from sqlalchemy import ColumnElement, Integer, insert, literal, select

from plumbline.results import statements
from plumbline.results.ids import ROWS, first_id, id_range
from plumbline.results.tables import record_table


def copy_shard(table: str, source_run: int, source_shard: int, run: int, shard: int) -> int:
    """Copy a shard's records to another run's shard, with the same row numbers. Returns the number of rows."""
    records = record_table(table)
    new = {"id": first_id(run, shard) + records.c.id.op("&")(ROWS - 1), "run": literal(run, Integer)}
    columns = [new.get(column.name, column) for column in records.c]
    source = select(*columns).where(*_in_shard(records.c.run, records.c.id, source_run, source_shard))
    return statements.run(insert(records).from_select([column.name for column in records.c], source))


def _in_shard(
    run_column: ColumnElement[int], id_column: ColumnElement[int], run: int, shard: int
) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    """Return the conditions of a shard. The run, besides the ids, lets the planner skip other runs' partitions."""
    return run_column == run, id_column.between(*id_range(run, shard))
