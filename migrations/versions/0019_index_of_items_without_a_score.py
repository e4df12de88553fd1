"""The index for the list of items without a score in order of id. Before, each page read all of them.

Revision ID: 0019
Revises: 0018
"""

from alembic import op

from plumbline.results.indexing import build_index

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

NAME = "association_not_scorable_id_ix"


def upgrade() -> None:
    build_index(NAME, "association", "run, id", "NOT scorable")


def downgrade() -> None:
    op.drop_index(op.f(NAME), table_name="association", schema="results")
