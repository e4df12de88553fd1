"""A record of the bridge for each template, so that the stability of signs over templates can be computed.

Revision ID: 0009
Revises: 0008
"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

KEY = "bridge_run_side_word_name_template_uq"
KEY_BEFORE = "bridge_run_side_word_name_uq"


def upgrade() -> None:
    op.add_column("bridge", sa.Column("template", sa.Integer), schema="results")
    op.drop_constraint(op.f(KEY_BEFORE), "bridge", schema="results", type_="unique")
    op.create_unique_constraint(
        op.f(KEY),
        "bridge",
        ["run", "side", "word", "name", "template"],
        schema="results",
        postgresql_nulls_not_distinct=True,
    )


def downgrade() -> None:
    """Records of single templates have no place before: their runs can be asked again."""
    op.execute("DELETE FROM results.bridge WHERE template IS NOT NULL")
    op.drop_constraint(op.f(KEY), "bridge", schema="results", type_="unique")
    op.drop_column("bridge", "template", schema="results")
    op.create_unique_constraint(op.f(KEY_BEFORE), "bridge", ["run", "side", "word", "name"], schema="results")
