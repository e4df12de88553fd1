"""SODAPOP: generated distractors, scored options, and tallies of words.

Revision ID: 0006
Revises: 0005
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def _create(name: str, *own: sa.schema.SchemaItem) -> None:
    labels = ("probe", "context", "name", "group")
    op.create_table(
        name,
        sa.Column("id", sa.BigInteger, nullable=False),
        sa.Column("run", sa.Integer, nullable=False),
        *(sa.Column(label, sa.Integer, nullable=False) for label in labels),
        *own,
        sa.PrimaryKeyConstraint("id", "run", name=op.f(f"{name}_pk")),
        schema="results",
        postgresql_partition_by="LIST (run)",
    )
    op.execute(f"CREATE TABLE results.{name}_default PARTITION OF results.{name} DEFAULT")


def upgrade() -> None:
    _create(
        "distractor",
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("distance", sa.SmallInteger, nullable=False),
        sa.Column("log_p", sa.Double, nullable=False),
    )
    op.create_index(op.f("distractor_run_context_name_ix"), "distractor", ["run", "context", "name"], schema="results")
    _create(
        "answer",
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("name_tokens", sa.SmallInteger, nullable=False),
        sa.Column("logit", sa.Double),
        sa.Column("reason", sa.Integer),
        sa.UniqueConstraint("run", "context", "name", "place", name=op.f("answer_run_context_name_place_uq")),
        sa.CheckConstraint("(logit IS NULL) <> (reason IS NULL)", name=op.f("answer_logit_or_reason_ck")),
    )
    _create(
        "tally",
        sa.Column("word", sa.Integer, nullable=False),
        sa.Column("shown", sa.Integer, nullable=False),
        sa.Column("chosen", sa.Integer, nullable=False),
        sa.Column("expected", sa.Double, nullable=False),
        sa.UniqueConstraint("run", "context", "name", "word", name=op.f("tally_run_context_name_word_uq")),
        sa.CheckConstraint("0 <= chosen AND chosen <= shown", name=op.f("tally_chosen_of_shown_ck")),
    )


def downgrade() -> None:
    for name in ("tally", "answer", "distractor"):
        op.drop_table(name, schema="results")
