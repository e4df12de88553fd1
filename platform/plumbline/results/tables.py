"""The results plane: what workers write and nobody edits.

Records are narrow: labels are ids of `term`. Declared here, created by migrations/versions, mirrored for the admin in
models.py; a test holds the three against each other.
"""

from collections.abc import Sequence

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    DateTime,
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
    func,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.schema import SchemaItem

from plumbline.spec.errors import InputError
from plumbline.spec.verdicts import Verdict

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


def _records(name: str, labels: Sequence[str], *own: SchemaItem) -> Table:
    """A table of records: whose they are, what they are about (ids of `term`), and what is theirs alone."""
    return Table(
        name,
        metadata,
        Column("id", BigInteger, nullable=False, autoincrement=False),
        Column("run", Integer, nullable=False),
        *(Column(label, Integer, nullable=False) for label in ("probe", *labels)),
        *own,
        PrimaryKeyConstraint("id", "run"),
        postgresql_partition_by="LIST (run)",
    )


# One item of a log-probability probe, or of the sensitivity test, which has distances in place of log probabilities.
# No foreign key: to Django's tables because nothing crosses the planes, to `term`
# because five look-ups a row would more than halve the speed of loading; terms are never deleted.
association = _records(
    "association",
    ("template", "group", "attribute"),
    Column("log_p_target", Double),
    Column("log_p_prior", Double),
    Column("distance_target", Double),
    Column("distance_prior", Double),
    Column("score", Double),
    Column("n_tokens", SmallInteger),
    Column("scorable", Boolean, nullable=False),
    Column("reason", Integer),
    UniqueConstraint("run", "group", "attribute", "template"),
    CheckConstraint(
        "scorable AND score IS NOT NULL AND reason IS NULL OR NOT scorable AND score IS NULL AND reason IS NOT NULL",
        name="score_or_reason",
    ),
    # The few rows that pages count and list by reason: a run's millions of others are not in it.
    Index("association_not_scorable_ix", "run", "group", "reason", postgresql_where=text("NOT scorable")),
)

# One effect size of an embedding association test: of a group and a pair over all draws (draw 0), or of two sets in one
# draw (from 1 on). `sentences`: the fewest that any of its words was sampled from; below the draws, they repeat.
effect = _records(
    "effect",
    ("template", "group", "attribute"),
    Column("draw", Integer, nullable=False),
    Column("effect_size", Double),
    Column("variance", Double),
    Column("sentences", Integer, nullable=False),
    Column("scorable", Boolean, nullable=False),
    Column("reason", Integer),
    UniqueConstraint("run", "group", "attribute", "draw"),
    CheckConstraint(
        "scorable AND effect_size IS NOT NULL AND variance IS NOT NULL AND reason IS NULL"
        " OR NOT scorable AND effect_size IS NULL AND variance IS NULL AND reason IS NOT NULL",
        name="effect_size_or_reason",
    ),
)


# One answered question with a few options. `options` is a term that holds them as JSON, `logits` JSON in their order
# (natural logarithms or logits, as the model gave them; NULL where it gave a text only). chosen, gold, target and
# unknown are places among the options, from 0 on: the model's answer, the right one, that of the group asked about, and
# the one that says "not known".
choice = _records(
    "choice",
    ("bank", "item", "category", "condition", "polarity", "name", "group", "options"),
    Column("template", Integer),
    Column("logits", Text),
    Column("chosen", SmallInteger),
    Column("gold", SmallInteger),
    Column("target", SmallInteger),
    Column("unknown", SmallInteger),
    Column("reason", Integer),
    UniqueConstraint("run", "item", "name", "options"),
    CheckConstraint(
        "chosen IS NOT NULL AND reason IS NULL OR logits IS NULL AND chosen IS NULL AND reason IS NOT NULL",
        name="answer_or_reason",
    ),
)

# What SODAPOP's generator made of a right answer. `distance`: in how many positions it differs; `log_p`: natural log,
# the largest over the ways to it of the summed log probabilities of the tokens put in.
distractor = _records(
    "distractor",
    ("context", "name", "group"),
    Column("text", Text, nullable=False),
    Column("distance", SmallInteger, nullable=False),
    Column("log_p", Double, nullable=False),
    Index(None, "run", "context", "name"),
)

# One option of SODAPOP's questions, scored once with its name and context. `place` -1: the right answer; the
# distractors at 2q and 2q + 1 stand beside it in question q, an odd last one in none. `name_tokens`: of the name.
answer = _records(
    "answer",
    ("context", "name", "group"),
    Column("text", Text, nullable=False),
    Column("place", Integer, nullable=False),
    Column("name_tokens", SmallInteger, nullable=False),
    Column("logit", Double),
    Column("reason", Integer),
    UniqueConstraint("run", "context", "name", "place"),
    CheckConstraint("(logit IS NULL) <> (reason IS NULL)", name="logit_or_reason"),
)

# In how many distractors a word was shown with a name in a context, and how many of them misled the model; `expected`
# of them would, on average over random partners.
tally = _records(
    "tally",
    ("context", "name", "group", "word"),
    Column("shown", Integer, nullable=False),
    Column("chosen", Integer, nullable=False),
    Column("expected", Double, nullable=False),
    UniqueConstraint("run", "context", "name", "word"),
    CheckConstraint("0 <= chosen AND chosen <= shown", name="chosen_of_shown"),
)


# One log probability bias score between a first name and a word in one template: how much likelier the name is where
# the word stands (side target_bridge), or the word where the name stands (bridge_feature; of a sensitive attribute
# bridge_feature:SLUG). Rows of earlier runs have no template: they are averages over those of their side.
bridge = _records(
    "bridge",
    ("side", "word", "name"),
    Column("template", Integer),
    Column("log_p_target", Double),
    Column("log_p_prior", Double),
    Column("score", Double),
    Column("name_tokens", SmallInteger, nullable=False),
    Column("scorable", Boolean, nullable=False),
    Column("reason", Integer),
    UniqueConstraint("run", "side", "word", "name", "template", postgresql_nulls_not_distinct=True),
    CheckConstraint(
        "scorable AND score IS NOT NULL AND reason IS NULL OR NOT scorable AND score IS NULL AND reason IS NOT NULL",
        name="score_or_reason",
    ),
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
    Column("equivalence_p", Double),
    Column("least_p", Double),
    Column("q_value", Double),
    _label("verdict"),
    Column("smallest_effect", Double),
    Column("reachable_q", Double),
    Column("equivalence_q", Double),
    _label("confounds"),
    Column("n", Integer, nullable=False),
    _label("unit"),
    Column("n_units", Integer, nullable=False, server_default=text("0")),
    Column("n_frames", Integer, nullable=False, server_default=text("0")),
    _label("reason"),
    CheckConstraint("value IS NOT NULL OR reason <> ''", name="value_or_reason"),
    Index(None, "run", "statistic", "group_a", "group_b"),
    CheckConstraint(f"verdict IN ('', {', '.join(map(repr, map(str, Verdict)))})", name="known_verdict"),
    CheckConstraint("confounds IN ('', 'matched', 'adjusted', 'matched, adjusted')", name="known_confounds"),
    # Findings of releases before verdicts were read through it.
    Index("measure_significant_ix", "run", "statistic", postgresql_where=text("q_value < 0.05")),
    Index("measure_present_ix", "run", "statistic", postgresql_where=text("verdict = 'present'")),
    # A run has a handful of overall rows among as many as it has cells; histories read those of many runs.
    Index("measure_overall_ix", "run", "statistic", postgresql_where=text("attribute = '' AND template = ''")),
)

# What a run's measures were before it was summarised again, each whole: later columns change nothing of earlier ones.
measure_revision = Table(
    "measure_revision",
    metadata,
    Column("id", Integer, Identity(always=True), primary_key=True),
    Column("run", Integer, nullable=False, index=True),
    Column("replaced_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
    Column("measure", JSONB, nullable=False),
)

RECORD_TABLES = {
    "association": association,
    "effect": effect,
    "choice": choice,
    "distractor": distractor,
    "answer": answer,
    "tally": tally,
    "bridge": bridge,
}
"""The fact tables: partitioned by run, `id` as in ids.py, labels as term ids.

A new one is one entry here: a large run then gets a partition of its own in it, and a run's deletion empties it.
Its revision creates the table with `postgresql_partition_by="LIST (run)"` and its `NAME_default` partition.
"""


def record_table(name: str) -> Table:
    """A fact table by its name. InputError for an unknown one."""
    if name not in RECORD_TABLES:
        raise InputError(f"no table of records is called {name!r}; there are: {', '.join(RECORD_TABLES)}.")
    return RECORD_TABLES[name]
