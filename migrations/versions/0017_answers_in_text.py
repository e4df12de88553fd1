"""Options that an endpoint's answers in text name: how often each was chosen, instead of a score.

Revision ID: 0017
Revises: 0016
"""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

BEFORE, AFTER = "answer_logit_or_reason_ck", "answer_logit_chosen_or_reason_ck"


def upgrade() -> None:
    op.add_column("answer", sa.Column("chosen", sa.Integer), schema="results")
    op.alter_column("answer", "name_tokens", nullable=True, schema="results")
    op.drop_constraint(op.f(BEFORE), "answer", schema="results")
    op.create_check_constraint(op.f(AFTER), "answer", "num_nonnulls(logit, chosen, reason) = 1", schema="results")


def downgrade() -> None:
    """Options without a score have no place before: their runs can be asked again."""
    op.execute("DELETE FROM results.answer WHERE chosen IS NOT NULL OR name_tokens IS NULL")
    op.drop_constraint(op.f(AFTER), "answer", schema="results")
    op.create_check_constraint(op.f(BEFORE), "answer", "(logit IS NULL) <> (reason IS NULL)", schema="results")
    op.alter_column("answer", "name_tokens", nullable=False, schema="results")
    op.drop_column("answer", "chosen", schema="results")
