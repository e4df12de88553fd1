"""Several answers to one question: the number of each becomes part of the keys of choices and of parsed answers.

Revision ID: 0018
Revises: 0017
"""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

KEYS = {"choice": ("run", "item", "name", "options"), "parsed_answer": ("run", "item", "options")}


def upgrade() -> None:
    for table, key in KEYS.items():
        # A default that is no expression rewrites no row. The new key's index is built under a lock, once.
        sample = sa.Column("sample", sa.SmallInteger, nullable=False, server_default=sa.text("0"))
        op.add_column(table, sample, schema="results")
        op.drop_constraint(_name(table, key), table, schema="results", type_="unique")
        op.create_unique_constraint(_name(table, (*key, "sample")), table, [*key, "sample"], schema="results")


def downgrade() -> None:
    """Further samples of a question have no place before: their runs can be asked again."""
    for table, key in KEYS.items():
        records = sa.table(table, sa.column("sample"), schema="results")
        op.execute(sa.delete(records).where(records.c.sample > 0))
        op.drop_constraint(_name(table, (*key, "sample")), table, schema="results", type_="unique")
        op.drop_column(table, "sample", schema="results")
        op.create_unique_constraint(_name(table, key), table, list(key), schema="results")


def _name(table: str, key: tuple[str, ...]) -> str:
    return str(op.f("_".join((table, *key, "uq"))))
