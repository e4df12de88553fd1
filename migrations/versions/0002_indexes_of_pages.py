"""Indexes for a run's summary page: items without a score, overall measures and significant measures.

Revision ID: 0002
Revises: 0001
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(
        "association_not_scorable_ix",
        "association",
        ["run", "group", "reason"],
        schema="results",
        postgresql_where=sa.text("NOT scorable"),
    )
    op.create_index(
        "measure_overall_ix",
        "measure",
        ["run", "statistic"],
        schema="results",
        postgresql_where=sa.text("attribute = '' AND template = ''"),
    )
    op.create_index(
        "measure_significant_ix",
        "measure",
        ["run", "statistic"],
        schema="results",
        postgresql_where=sa.text("q_value < 0.05"),
    )
    op.create_index(
        "measure_run_statistic_group_a_group_b_ix",
        "measure",
        ["run", "statistic", "group_a", "group_b"],
        schema="results",
    )
    op.drop_index("measure_run_statistic_ix", "measure", schema="results")


def downgrade() -> None:
    op.create_index("measure_run_statistic_ix", "measure", ["run", "statistic"], schema="results")
    op.drop_index("measure_run_statistic_group_a_group_b_ix", "measure", schema="results")
    op.drop_index("measure_significant_ix", "measure", schema="results")
    op.drop_index("measure_overall_ix", "measure", schema="results")
    op.drop_index("association_not_scorable_ix", "association", schema="results")
