"""Columns for the distances of the sensitivity test.

Revision ID: 0003
Revises: 0002
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Nullable and without a default: no partition is rewritten.
    op.add_column("association", sa.Column("distance_target", sa.Double), schema="results")
    op.add_column("association", sa.Column("distance_prior", sa.Double), schema="results")


def downgrade() -> None:
    op.drop_column("association", "distance_prior", schema="results")
    op.drop_column("association", "distance_target", schema="results")
