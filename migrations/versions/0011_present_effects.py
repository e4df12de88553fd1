"""An index of present effects, for findings.

Revision ID: 0011
Revises: 0010
"""

from alembic import op

from plumbline.results.indexing import build_index

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

NAME = "measure_present_ix"


def upgrade() -> None:
    build_index(NAME, "measure", "run, statistic", "verdict = 'present'")


def downgrade() -> None:
    op.drop_index(op.f(NAME), table_name="measure", schema="results")
