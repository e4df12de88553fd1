"""The index for pages of a run's measures in order of id, which the API sends.

Revision ID: 0015
Revises: 0014
"""

from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("measure_run_id_ix", "measure", ["run", "id"], schema="results")


def downgrade() -> None:
    op.drop_index("measure_run_id_ix", "measure", schema="results")
