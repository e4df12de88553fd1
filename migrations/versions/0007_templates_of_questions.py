"""The template of each question. Text answers need no logits.

Revision ID: 0007
Revises: 0006
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("choice", sa.Column("template", sa.Integer), schema="results")
    op.drop_constraint(op.f("choice_answer_or_reason_ck"), "choice", schema="results")
    op.create_check_constraint(
        op.f("choice_answer_or_reason_ck"),
        "choice",
        "chosen IS NOT NULL AND reason IS NULL OR logits IS NULL AND chosen IS NULL AND reason IS NOT NULL",
        schema="results",
    )


def downgrade() -> None:
    op.drop_constraint(op.f("choice_answer_or_reason_ck"), "choice", schema="results")
    op.create_check_constraint(
        op.f("choice_answer_or_reason_ck"),
        "choice",
        "logits IS NOT NULL AND chosen IS NOT NULL AND reason IS NULL"
        " OR logits IS NULL AND chosen IS NULL AND reason IS NOT NULL",
        schema="results",
    )
    op.drop_column("choice", "template", schema="results")
