"""The index for pages of a run's measures in order of id, which the API sends.

Revision ID: 0015
Revises: 0014
"""

from alembic import op

from plumbline.results.indexing import build_index

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

NAME = "measure_run_id_ix"


def upgrade() -> None:
    build_index(NAME, "measure", "run, id")


def downgrade() -> None:
    op.drop_index(op.f(NAME), table_name="measure", schema="results")
