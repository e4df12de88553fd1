"""Answered questions with a few options.

Revision ID: 0005
Revises: 0004
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    labels = ("probe", "bank", "item", "category", "condition", "polarity", "name", "group", "options")
    op.create_table(
        "choice",
        sa.Column("id", sa.BigInteger, nullable=False),
        sa.Column("run", sa.Integer, nullable=False),
        *(sa.Column(name, sa.Integer, nullable=False) for name in labels),
        sa.Column("logits", sa.Text),
        sa.Column("chosen", sa.SmallInteger),
        sa.Column("gold", sa.SmallInteger),
        sa.Column("target", sa.SmallInteger),
        sa.Column("unknown", sa.SmallInteger),
        sa.Column("reason", sa.Integer),
        sa.PrimaryKeyConstraint("id", "run", name=op.f("choice_pk")),
        sa.UniqueConstraint("run", "item", "name", "options", name=op.f("choice_run_item_name_options_uq")),
        sa.CheckConstraint(
            "logits IS NOT NULL AND chosen IS NOT NULL AND reason IS NULL"
            " OR logits IS NULL AND chosen IS NULL AND reason IS NOT NULL",
            name=op.f("choice_answer_or_reason_ck"),
        ),
        schema="results",
        postgresql_partition_by="LIST (run)",
    )
    op.execute("CREATE TABLE results.choice_default PARTITION OF results.choice DEFAULT")


def downgrade() -> None:
    op.drop_table("choice", schema="results")
