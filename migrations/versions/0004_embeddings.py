"""Effect sizes of embedding association tests.

Revision ID: 0004
Revises: 0003
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "effect",
        sa.Column("id", sa.BigInteger, nullable=False),
        sa.Column("run", sa.Integer, nullable=False),
        sa.Column("probe", sa.Integer, nullable=False),
        sa.Column("template", sa.Integer, nullable=False),
        sa.Column("group", sa.Integer, nullable=False),
        sa.Column("attribute", sa.Integer, nullable=False),
        sa.Column("draw", sa.Integer, nullable=False),
        sa.Column("effect_size", sa.Double),
        sa.Column("variance", sa.Double),
        sa.Column("sentences", sa.Integer, nullable=False),
        sa.Column("scorable", sa.Boolean, nullable=False),
        sa.Column("reason", sa.Integer),
        sa.PrimaryKeyConstraint("id", "run", name=op.f("effect_pk")),
        sa.UniqueConstraint("run", "group", "attribute", "draw", name=op.f("effect_run_group_attribute_draw_uq")),
        sa.CheckConstraint(
            "scorable AND effect_size IS NOT NULL AND variance IS NOT NULL AND reason IS NULL"
            " OR NOT scorable AND effect_size IS NULL AND variance IS NULL AND reason IS NOT NULL",
            name=op.f("effect_effect_size_or_reason_ck"),
        ),
        schema="results",
        postgresql_partition_by="LIST (run)",
    )
    op.execute("CREATE TABLE results.effect_default PARTITION OF results.effect DEFAULT")


def downgrade() -> None:
    op.drop_table("effect", schema="results")
