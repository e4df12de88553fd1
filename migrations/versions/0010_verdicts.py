"""A verdict for each measure, and a table of the measures that a new summary replaced.

Measures of before have no verdict: they were judged by other rules.

Revision ID: 0010
Revises: 0009
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

KNOWN = "measure_known_verdict_ck"
FIGURES = ("equivalence_p", "least_p", "smallest_effect", "reachable_q", "equivalence_q")


def upgrade() -> None:
    op.add_column(
        "measure", sa.Column("verdict", sa.Text, nullable=False, server_default=sa.text("''")), schema="results"
    )
    for name in FIGURES:
        op.add_column("measure", sa.Column(name, sa.Double), schema="results")
    op.add_column(
        "measure", sa.Column("n_frames", sa.Integer, nullable=False, server_default=sa.text("0")), schema="results"
    )
    op.create_check_constraint(
        op.f(KNOWN),
        "measure",
        "verdict IN ('', 'present', 'absent', 'undecided', 'not testable')",
        schema="results",
    )
    op.create_table(
        "measure_revision",
        sa.Column("id", sa.Integer, sa.Identity(always=True), nullable=False),
        sa.Column("run", sa.Integer, nullable=False),
        sa.Column("replaced_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now()),
        sa.Column("measure", JSONB, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("measure_revision_pk")),
        schema="results",
    )
    op.create_index(op.f("measure_revision_run_ix"), "measure_revision", ["run"], schema="results")


def downgrade() -> None:
    op.drop_table("measure_revision", schema="results")
    op.drop_constraint(op.f(KNOWN), "measure", schema="results", type_="check")
    for name in ("n_frames", *FIGURES, "verdict"):
        op.drop_column("measure", name, schema="results")
