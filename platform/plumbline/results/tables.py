"""The results plane: what workers write and nobody edits.

Records are narrow: labels are ids of `term`. Declared here, created by migrations/versions, mirrored for the admin in
models.py; a test holds the three against each other.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Double,
    Identity,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from plumbline.spec.errors import InputError

SCHEMA = "results"

metadata = MetaData(
    schema=SCHEMA,
    naming_convention={
        "ix": "%(table_name)s_%(column_0_N_name)s_ix",
        "uq": "%(table_name)s_%(column_0_N_name)s_uq",
        "ck": "%(table_name)s_%(constraint_name)s_ck",
        "pk": "%(table_name)s_pk",
    },
)

term = Table(
    "term",
    metadata,
    Column("id", Integer, Identity(always=True), primary_key=True),
    Column("text", Text, nullable=False, unique=True),
)

# One item of a log-probability probe. No foreign key: to Django's tables because nothing crosses the planes, to `term`
# because five look-ups a row would more than halve the speed of loading; terms are never deleted.
association = Table(
    "association",
    metadata,
    Column("id", BigInteger, nullable=False, autoincrement=False),
    Column("run", Integer, nullable=False),
    Column("probe", Integer, nullable=False),
    Column("template", Integer, nullable=False),
    Column("group", Integer, nullable=False),
    Column("attribute", Integer, nullable=False),
    Column("log_p_target", Double),
    Column("log_p_prior", Double),
    Column("score", Double),
    Column("n_tokens", SmallInteger),
    Column("scorable", Boolean, nullable=False),
    Column("reason", Integer),
    PrimaryKeyConstraint("id", "run"),
    UniqueConstraint("run", "group", "attribute", "template"),
    CheckConstraint(
        "scorable AND score IS NOT NULL AND reason IS NULL OR NOT scorable AND score IS NULL AND reason IS NOT NULL",
        name="score_or_reason",
    ),
    # The few rows that pages count and list by reason: a run's millions of others are not in it.
    Index("association_not_scorable_ix", "run", "group", "reason", postgresql_where=text("NOT scorable")),
    postgresql_partition_by="LIST (run)",
)


def _label(name: str) -> Column[str]:
    return Column(name, Text, nullable=False, server_default=text("''"))


# A statistic of a run. Overall rows leave template and attribute empty; an undefined value is NULL with its reason.
measure = Table(
    "measure",
    metadata,
    Column("id", Integer, Identity(always=True), primary_key=True),
    Column("run", Integer, nullable=False),
    Column("statistic", Text, nullable=False),
    _label("variant"),
    _label("prior"),
    _label("group_a"),
    _label("group_b"),
    _label("category"),
    _label("condition"),
    _label("attribute"),
    _label("template"),
    Column("value", Double),
    Column("ci_low", Double),
    Column("ci_high", Double),
    Column("p_value", Double),
    Column("familywise_p_value", Double),
    Column("q_value", Double),
    Column("n", Integer, nullable=False),
    _label("unit"),
    Column("n_units", Integer, nullable=False, server_default=text("0")),
    _label("reason"),
    CheckConstraint("value IS NOT NULL OR reason <> ''", name="value_or_reason"),
    Index(None, "run", "statistic", "group_a", "group_b"),
    # Findings: the level is findings.SIGNIFICANT_Q.
    Index("measure_significant_ix", "run", "statistic", postgresql_where=text("q_value < 0.05")),
    # A run has a handful of overall rows among as many as it has cells; histories read those of many runs.
    Index("measure_overall_ix", "run", "statistic", postgresql_where=text("attribute = '' AND template = ''")),
)

RECORD_TABLES = {"association": association}
"""The fact tables: partitioned by run, `id` as in ids.py, labels as term ids."""


def record_table(name: str) -> Table:
    """A fact table by its name. InputError for an unknown one."""
    if name not in RECORD_TABLES:
        raise InputError(f"no table of records is called {name!r}; there are: {', '.join(RECORD_TABLES)}.")
    return RECORD_TABLES[name]
