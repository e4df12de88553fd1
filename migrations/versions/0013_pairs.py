"""Pairs of sentences, one row a score.

Revision ID: 0013
Revises: 0012
"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

LABELS = ("probe", "bank", "item", "category", "scoring", "template")


def upgrade() -> None:
    op.create_table(
        "pair",
        sa.Column("id", sa.BigInteger, nullable=False),
        sa.Column("run", sa.Integer, nullable=False),
        *(sa.Column(label, sa.Integer, nullable=False) for label in LABELS),
        sa.Column("first", sa.Double),
        sa.Column("second", sa.Double),
        sa.Column("score", sa.Double),
        sa.Column("scorable", sa.Boolean, nullable=False),
        sa.Column("reason", sa.Integer),
        sa.PrimaryKeyConstraint("id", "run", name=op.f("pair_pk")),
        sa.UniqueConstraint("run", "item", "scoring", "template", name=op.f("pair_run_item_scoring_template_uq")),
        sa.CheckConstraint(
            "scorable AND score IS NOT NULL AND reason IS NULL"
            " OR NOT scorable AND score IS NULL AND reason IS NOT NULL",
            name=op.f("pair_score_or_reason_ck"),
        ),
        schema="results",
        postgresql_partition_by="LIST (run)",
    )
    op.execute("CREATE TABLE results.pair_default PARTITION OF results.pair DEFAULT")


def downgrade() -> None:
    op.drop_table("pair", schema="results")
