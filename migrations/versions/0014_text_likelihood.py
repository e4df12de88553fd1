"""How likely a model finds texts, one row a text.

Revision ID: 0014
Revises: 0013
"""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

LABELS = ("probe", "bank", "item")


def upgrade() -> None:
    op.create_table(
        "text_likelihood",
        sa.Column("id", sa.BigInteger, nullable=False),
        sa.Column("run", sa.Integer, nullable=False),
        *(sa.Column(label, sa.Integer, nullable=False) for label in LABELS),
        sa.Column("log_likelihood", sa.Double),
        sa.Column("n_tokens", sa.Integer),
        sa.Column("n_top1", sa.Integer),
        sa.Column("scorable", sa.Boolean, nullable=False),
        sa.Column("reason", sa.Integer),
        sa.PrimaryKeyConstraint("id", "run", name=op.f("text_likelihood_pk")),
        sa.UniqueConstraint("run", "item", name=op.f("text_likelihood_run_item_uq")),
        sa.CheckConstraint(
            "scorable AND log_likelihood IS NOT NULL AND n_tokens > 0 AND reason IS NULL"
            " OR NOT scorable AND log_likelihood IS NULL AND reason IS NOT NULL",
            name=op.f("text_likelihood_likelihood_or_reason_ck"),
        ),
        schema="results",
        postgresql_partition_by="LIST (run)",
    )
    op.execute("CREATE TABLE results.text_likelihood_default PARTITION OF results.text_likelihood DEFAULT")


def downgrade() -> None:
    op.drop_table("text_likelihood", schema="results")
