"""The conditions in which a difference is no longer significant. Earlier measures had them as text in `reason`.

Revision ID: 0012
Revises: 0011
"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

KNOWN = "measure_known_confounds_ck"
FILLED = (
    """
    UPDATE results.measure
    SET confounds = replace(split_part(reason, 'not told from 0 once names are ', 2), ' or ', ', ')
    WHERE statistic IN ('relative_difference', 'success_rate_difference') AND condition = ''
      AND split_part(reason, 'not told from 0 once names are ', 2) IN ('matched', 'adjusted', 'matched or adjusted')
    """,
    """
    UPDATE results.measure
    SET confounds = condition
    WHERE statistic = 'success_rate_difference' AND condition IN ('matched', 'adjusted')
      AND starts_with(reason, 'vanishes: not told from 0 any more; ')
    """,
)
"""The reasons stay as they are: what a release wrote is never altered."""
WRITTEN_BACK = (
    """
    UPDATE results.measure
    SET reason = concat_ws('; ', nullif(reason, ''),
                           'not told from 0 once names are ' || replace(confounds, ', ', ' or '))
    WHERE confounds <> '' AND condition = '' AND strpos(reason, 'not told from 0 once names are ') = 0
    """,
    """
    UPDATE results.measure
    SET reason = 'vanishes: not told from 0 any more; ' || reason
    WHERE confounds <> '' AND condition <> '' AND NOT starts_with(reason, 'vanishes: not told from 0 any more; ')
    """,
)


def upgrade() -> None:
    op.add_column(
        "measure", sa.Column("confounds", sa.Text, nullable=False, server_default=sa.text("''")), schema="results"
    )
    for statement in FILLED:
        op.execute(statement)
    op.create_check_constraint(
        op.f(KNOWN), "measure", "confounds IN ('', 'matched', 'adjusted', 'matched, adjusted')", schema="results"
    )


def downgrade() -> None:
    for statement in WRITTEN_BACK:
        op.execute(statement)
    op.drop_constraint(op.f(KNOWN), "measure", schema="results", type_="check")
    op.drop_column("measure", "confounds", schema="results")
