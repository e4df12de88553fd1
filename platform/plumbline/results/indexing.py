"""Index creation on large tables without blocking readers and writers, for Alembic's revisions.

A plain CREATE INDEX blocks writers until it ends. CONCURRENTLY does not, but it runs outside transactions and not on
partitioned tables. So each partition gets its own index, which is attached to an index on the parent alone.
(PostgreSQL's documentation, "Table Partitioning", section 5.12.2.2.)
"""

from alembic import op
from sqlalchemy import Connection, text

from plumbline.results.tables import SCHEMA
from plumbline.spec.digests import digest
from plumbline.spec.errors import InputError

LONGEST_NAME = 63
# The partitions of a table that have no valid index attached to the parent's index yet.
_BARE = text("""
    SELECT part.relname FROM pg_inherits JOIN pg_class part ON part.oid = inhrelid
    WHERE inhparent = CAST(:parent AS regclass) AND NOT EXISTS (
        SELECT FROM pg_index JOIN pg_inherits under ON under.inhrelid = indexrelid
        WHERE indrelid = part.oid AND indisvalid AND under.inhparent = CAST(:index AS regclass))
    ORDER BY 1 LIMIT 1
""")
_IS_VALID = text("SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(:index)")
_IS_PARTITIONED = text("SELECT relkind = 'p' FROM pg_class WHERE oid = CAST(:table AS regclass)")


def build_index(name: str, table: str, columns: str, where: str = "") -> None:
    """Build an index on a table of the results plane, partitioned or not, without blocking anybody.

    `columns` and `where` are SQL: `run, "group"`. Earlier statements of the revision are committed, so give it its own
    revision.
    """
    what = f"({columns}){f' WHERE {where}' if where else ''}"
    with op.get_context().autocommit_block():
        connection = op.get_bind()
        if connection.execute(_IS_PARTITIONED, {"table": _named(table)}).scalar_one():
            _build_partitioned(connection, name, table, what)
        else:
            _build(connection, name, table, what)


def _build_partitioned(connection: Connection, name: str, parent: str, what: str) -> None:
    """Build the index on each partition and attach it.

    Partitions added meanwhile have it or get it in a later round.
    """
    connection.execute(text(f'CREATE INDEX IF NOT EXISTS "{name}" ON ONLY {_named(parent)} {what}'))
    asked = {"parent": _named(parent), "index": _named(name)}
    while partition := connection.execute(_BARE, asked).scalar():
        own = _of_partition(partition, name)
        _build(connection, own, partition, what)
        connection.execute(text(f"ALTER INDEX {_named(name)} ATTACH PARTITION {_named(own)}"))
    if not connection.execute(_IS_VALID, {"index": _named(name)}).scalar_one():
        raise InputError(f"The index {name} is not valid on all partitions: run `manage.py migrate` again.")


def _build(connection: Connection, name: str, table: str, what: str) -> None:
    """Build an index. An invalid one from an earlier attempt is replaced."""
    valid = connection.execute(_IS_VALID, {"index": _named(name)}).scalar()
    if valid is False:
        connection.execute(text(f"DROP INDEX CONCURRENTLY {_named(name)}"))
    if not valid:
        connection.execute(text(f'CREATE INDEX CONCURRENTLY "{name}" ON {_named(table)} {what}'))


def _of_partition(partition: str, name: str) -> str:
    """Return the name of a partition's index. PostgreSQL would truncate a longer name, which might then collide."""
    own = f"{partition}_{name}"
    return own if len(own) <= LONGEST_NAME else f"{partition}_{digest(name)[:12]}_ix"


def _named(relation: str) -> str:
    return f'{SCHEMA}."{relation}"'
