"""Alembic's environment of the results plane. Only `manage.py migrate` calls it: the order of the planes matters."""

from alembic import context
from sqlalchemy import Connection, text

from plumbline.results.schema import VERSION_TABLE
from plumbline.results.tables import SCHEMA, metadata
from plumbline.spec.errors import InputError


def main() -> None:
    connection: Connection | None = context.config.attributes.get("connection")
    if connection is None:
        raise InputError("Alembic is driven by `python manage.py migrate`, which brings the connection; call that.")
    with connection.begin():
        # Alembic keeps its version in the schema that the first revision would make.
        connection.execute(text(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}"))
    context.configure(
        connection=connection,
        target_metadata=metadata,
        version_table=VERSION_TABLE,
        version_table_schema=SCHEMA,
        include_schemas=True,
        # A revision that builds indexes beside others' work leaves its transaction: what went before stays done.
        transaction_per_migration=True,
    )
    with context.begin_transaction():
        context.run_migrations()


main()
