"""A shard's records: counted, and copied when a run uses a done shard again."""

from sqlalchemy import ColumnElement, Integer, func, insert, literal, select

from plumbline.results import statements
from plumbline.results.ids import ROWS, first_id, id_range
from plumbline.results.tables import record_table


def count_shard(table: str, run: int, shard: int) -> int:
    """How many records of a table a shard has."""
    source = record_table(table)
    query = select(func.count()).select_from(source).where(*_in_shard(source.c.run, source.c.id, run, shard))
    return int(statements.rows(query)[0][0])


def copy_shard(table: str, source_run: int, source_shard: int, run: int, shard: int) -> int:
    """Copy the records of one run's shard to another's, each row keeping its number; how many."""
    records = record_table(table)
    new = {"id": first_id(run, shard) + records.c.id.op("&")(ROWS - 1), "run": literal(run, Integer)}
    columns = [new.get(column.name, column) for column in records.c]
    source = select(*columns).where(*_in_shard(records.c.run, records.c.id, source_run, source_shard))
    return statements.run(insert(records).from_select([column.name for column in records.c], source))


def _in_shard(
    run_column: ColumnElement[int], id_column: ColumnElement[int], run: int, shard: int
) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    """The run beside the range of ids: it alone lets the planner leave the other runs' partitions out."""
    return run_column == run, id_column.between(*id_range(run, shard))
