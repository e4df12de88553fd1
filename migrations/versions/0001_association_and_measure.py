"""Terms, associations and measures.

Revision ID: 0001
Revises:
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def label(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=False, server_default=sa.text("''"))


def upgrade() -> None:
    op.create_table(
        "term",
        sa.Column("id", sa.Integer, sa.Identity(always=True), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("term_pk")),
        sa.UniqueConstraint("text", name=op.f("term_text_uq")),
        schema="results",
    )
    op.create_table(
        "association",
        sa.Column("id", sa.BigInteger, nullable=False),
        sa.Column("run", sa.Integer, nullable=False),
        sa.Column("probe", sa.Integer, nullable=False),
        sa.Column("template", sa.Integer, nullable=False),
        sa.Column("group", sa.Integer, nullable=False),
        sa.Column("attribute", sa.Integer, nullable=False),
        sa.Column("log_p_target", sa.Double),
        sa.Column("log_p_prior", sa.Double),
        sa.Column("score", sa.Double),
        sa.Column("n_tokens", sa.SmallInteger),
        sa.Column("scorable", sa.Boolean, nullable=False),
        sa.Column("reason", sa.Integer),
        sa.PrimaryKeyConstraint("id", "run", name=op.f("association_pk")),
        sa.UniqueConstraint(
            "run", "group", "attribute", "template", name=op.f("association_run_group_attribute_template_uq")
        ),
        sa.CheckConstraint(
            "scorable AND score IS NOT NULL AND reason IS NULL"
            " OR NOT scorable AND score IS NULL AND reason IS NOT NULL",
            name=op.f("association_score_or_reason_ck"),
        ),
        schema="results",
        postgresql_partition_by="LIST (run)",
    )
    op.execute("CREATE TABLE results.association_default PARTITION OF results.association DEFAULT")
    op.create_table(
        "measure",
        sa.Column("id", sa.Integer, sa.Identity(always=True), nullable=False),
        sa.Column("run", sa.Integer, nullable=False),
        sa.Column("statistic", sa.Text, nullable=False),
        label("variant"),
        label("prior"),
        label("group_a"),
        label("group_b"),
        label("category"),
        label("condition"),
        label("attribute"),
        label("template"),
        sa.Column("value", sa.Double),
        sa.Column("ci_low", sa.Double),
        sa.Column("ci_high", sa.Double),
        sa.Column("p_value", sa.Double),
        sa.Column("familywise_p_value", sa.Double),
        sa.Column("q_value", sa.Double),
        sa.Column("n", sa.Integer, nullable=False),
        label("unit"),
        sa.Column("n_units", sa.Integer, nullable=False, server_default=sa.text("0")),
        label("reason"),
        sa.PrimaryKeyConstraint("id", name=op.f("measure_pk")),
        sa.CheckConstraint("value IS NOT NULL OR reason <> ''", name=op.f("measure_value_or_reason_ck")),
        schema="results",
    )
    op.create_index("measure_run_statistic_ix", "measure", ["run", "statistic"], schema="results")


def downgrade() -> None:
    op.drop_table("measure", schema="results")
    op.drop_table("association", schema="results")
    op.drop_table("term", schema="results")
