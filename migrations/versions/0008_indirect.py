"""The bridge of an indirect score: direct scores of first names with targets and with features.

Revision ID: 0008
Revises: 0007
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "bridge",
        sa.Column("id", sa.BigInteger, nullable=False),
        sa.Column("run", sa.Integer, nullable=False),
        *(sa.Column(label, sa.Integer, nullable=False) for label in ("probe", "side", "word", "name")),
        sa.Column("log_p_target", sa.Double),
        sa.Column("log_p_prior", sa.Double),
        sa.Column("score", sa.Double),
        sa.Column("name_tokens", sa.SmallInteger, nullable=False),
        sa.Column("scorable", sa.Boolean, nullable=False),
        sa.Column("reason", sa.Integer),
        sa.PrimaryKeyConstraint("id", "run", name=op.f("bridge_pk")),
        sa.UniqueConstraint("run", "side", "word", "name", name=op.f("bridge_run_side_word_name_uq")),
        sa.CheckConstraint(
            "scorable AND score IS NOT NULL AND reason IS NULL"
            " OR NOT scorable AND score IS NULL AND reason IS NOT NULL",
            name=op.f("bridge_score_or_reason_ck"),
        ),
        schema="results",
        postgresql_partition_by="LIST (run)",
    )
    op.execute("CREATE TABLE results.bridge_default PARTITION OF results.bridge DEFAULT")


def downgrade() -> None:
    op.drop_table("bridge", schema="results")
