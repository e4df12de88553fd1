"""The whole answers of endpoints, and how a parser understood them.

Revision ID: 0016
Revises: 0015
"""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

LABELS = ("probe", "bank", "item", "category", "template", "condition", "group", "options", "answer_class", "parser")
NAMES = ("finish_reason", "served_model", "fingerprint", "left_out")
# lz4 is faster than the default, but a server may be built without it.
COMPRESSED = """
DO $$
BEGIN
    ALTER TABLE results.reply_text ALTER COLUMN text SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported OR invalid_parameter_value THEN
    NULL;
END $$
"""


def upgrade() -> None:
    op.create_table(
        "reply_text",
        sa.Column("id", sa.BigInteger, sa.Identity(always=True), nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("reply_text_pk")),
        sa.UniqueConstraint("digest", name=op.f("reply_text_digest_uq")),
        schema="results",
    )
    op.execute(COMPRESSED)
    _create_replies()
    _create_parsed_answers()


def _create_replies() -> None:
    op.create_table(
        "reply",
        sa.Column("id", sa.BigInteger, sa.Identity(always=True), nullable=False),
        sa.Column("run", sa.Integer, nullable=False),
        sa.Column("request", sa.Text, nullable=False),
        sa.Column("text", sa.BigInteger, nullable=False),
        sa.Column("reasoning", sa.BigInteger),
        sa.Column("refusal", sa.BigInteger),
        *(sa.Column(name, sa.Text, nullable=False, server_default=sa.text("''")) for name in NAMES),
        sa.Column("prompt_tokens", sa.Integer),
        sa.Column("completion_tokens", sa.Integer),
        sa.Column("reasoning_tokens", sa.Integer),
        sa.Column("seconds", sa.Double),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now()),
        sa.PrimaryKeyConstraint("id", name=op.f("reply_pk")),
        sa.UniqueConstraint("run", "request", name=op.f("reply_run_request_uq")),
        schema="results",
    )
    for name in ("text", "reasoning", "refusal", "received_at"):
        op.create_index(op.f(f"reply_{name}_ix"), "reply", [name], schema="results")


def _create_parsed_answers() -> None:
    op.create_table(
        "parsed_answer",
        sa.Column("id", sa.BigInteger, nullable=False),
        sa.Column("run", sa.Integer, nullable=False),
        *(sa.Column(label, sa.Integer, nullable=False) for label in LABELS),
        sa.Column("chosen", sa.SmallInteger),
        sa.Column("reply", sa.BigInteger),
        sa.PrimaryKeyConstraint("id", "run", name=op.f("parsed_answer_pk")),
        sa.UniqueConstraint("run", "item", "options", name=op.f("parsed_answer_run_item_options_uq")),
        schema="results",
        postgresql_partition_by="LIST (run)",
    )
    op.execute("CREATE TABLE results.parsed_answer_default PARTITION OF results.parsed_answer DEFAULT")


def downgrade() -> None:
    for name in ("parsed_answer", "reply", "reply_text"):
        op.drop_table(name, schema="results")
