"""The tables of the results plane, which workers write and nobody edits.

Records are narrow: labels are ids of `term`. The tables are declared here, created by migrations/versions and mirrored
for the admin in models.py. A test compares the three.
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
    """Return a table of records: the run, the labels (ids of `term`) and the table's own columns."""
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


# One item of a log-probability probe, or of the sensitivity test, which has distances instead of log probabilities.
# There is no foreign key: none crosses the planes, and one to `term` would cost five look-ups per row, more than half
# of the loading speed. Terms are never deleted.
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
    # Only the few rows that pages count and list by reason, without the millions of others.
    Index("association_not_scorable_ix", "run", "group", "reason", postgresql_where=text("NOT scorable")),
    # Pages list these rows in order of id.
    Index("association_not_scorable_id_ix", "run", "id", postgresql_where=text("NOT scorable")),
)

# One effect size of an embedding association test: of a group and a pair over all draws (draw 0), or of two sets in one
# draw (from 1 on). `sentences` is the smallest number of sentences that a word was sampled from. If it is below the
# number of draws, sentences repeat.
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


# One answered question with a few options. `options` is a term with the options as JSON. `logits` is JSON in the same
# order (natural logarithms or logits, as the model returned them, or NULL for a text answer). chosen, gold, target and
# unknown are option indexes from 0: the model's answer, the right answer, the option of the group in question, and the
# option "not known".
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
    Column("sample", SmallInteger, nullable=False, server_default=text("0")),
    UniqueConstraint("run", "item", "name", "options", "sample"),
    CheckConstraint(
        "chosen IS NOT NULL AND reason IS NULL OR logits IS NULL AND chosen IS NULL AND reason IS NOT NULL",
        name="answer_or_reason",
    ),
)

# A distractor that SODAPOP's generator made from a right answer. `distance` counts the positions that differ. `log_p`
# is the natural logarithm: the largest sum of log probabilities of inserted tokens over the paths to the text.
distractor = _records(
    "distractor",
    ("context", "name", "group"),
    Column("text", Text, nullable=False),
    Column("distance", SmallInteger, nullable=False),
    Column("log_p", Double, nullable=False),
    Index(None, "run", "context", "name"),
)

# One option of SODAPOP's questions, scored once per name and context. `place` -1 is the right answer. Question q pairs
# it with the distractors 2q and 2q + 1. An odd last one is in no question. `name_tokens` counts the name's tokens, NULL
# if they are not known. A model that answers in text scores no option: `chosen` counts the questions whose answer names
# it (of a distractor 0 or 1).
answer = _records(
    "answer",
    ("context", "name", "group"),
    Column("text", Text, nullable=False),
    Column("place", Integer, nullable=False),
    Column("name_tokens", SmallInteger),
    Column("logit", Double),
    Column("chosen", Integer),
    Column("reason", Integer),
    UniqueConstraint("run", "context", "name", "place"),
    CheckConstraint("num_nonnulls(logit, chosen, reason) = 1", name="logit_chosen_or_reason"),
)

# The number of distractors in which a word was shown with a name in a context, and the number that misled the model.
# `expected` is the number that would mislead it on average over random partners; of answers in text it is `chosen`.
tally = _records(
    "tally",
    ("context", "name", "group", "word"),
    Column("shown", Integer, nullable=False),
    Column("chosen", Integer, nullable=False),
    Column("expected", Double, nullable=False),
    UniqueConstraint("run", "context", "name", "word"),
    CheckConstraint("0 <= chosen AND chosen <= shown", name="chosen_of_shown"),
)


# One log probability bias score between a first name and a word in one template: how much likelier the name becomes
# through the word (side target_bridge), or the word through the name (bridge_feature, or bridge_feature:SLUG for a
# sensitive attribute). Rows of earlier runs have no template: they are means over the templates of their side.
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


# The two sentences of a pair as one score has them. `first`: of the sentence that the stereotype favours, of GEST of
# the one with the male word; natural logarithms, weighted ones for aula, NULL if only the difference was imported.
# `template` is empty if a pair has none.
pair = _records(
    "pair",
    ("bank", "item", "category", "scoring", "template"),
    Column("first", Double),
    Column("second", Double),
    Column("score", Double),
    Column("scorable", Boolean, nullable=False),
    Column("reason", Integer),
    UniqueConstraint("run", "item", "scoring", "template"),
    CheckConstraint(
        "scorable AND score IS NOT NULL AND reason IS NULL OR NOT scorable AND score IS NULL AND reason IS NOT NULL",
        name="score_or_reason",
    ),
)


# How likely a model finds a text. `log_likelihood`: natural logarithm, the sum over its `n_tokens` tokens; of a masked
# model each token is masked alone. `n_top1`: tokens that a masked model finds likeliest at their place.
text_likelihood = _records(
    "text_likelihood",
    ("bank", "item"),
    Column("log_likelihood", Double),
    Column("n_tokens", Integer),
    Column("n_top1", Integer),
    Column("scorable", Boolean, nullable=False),
    Column("reason", Integer),
    UniqueConstraint("run", "item"),
    CheckConstraint(
        "scorable AND log_likelihood IS NOT NULL AND n_tokens > 0 AND reason IS NULL"
        " OR NOT scorable AND log_likelihood IS NULL AND reason IS NOT NULL",
        name="likelihood_or_reason",
    ),
)

# How a parser understood one answer in text: its class (one of AnswerClass), and the chosen option if it names one.
# `reply` is the answer as it was received. There is no foreign key, since replies have a retention of their own.
parsed_answer = _records(
    "parsed_answer",
    ("bank", "item", "category", "template", "condition", "group", "options", "answer_class", "parser"),
    Column("chosen", SmallInteger),
    Column("reply", BigInteger),
    Column("sample", SmallInteger, nullable=False, server_default=text("0")),
    UniqueConstraint("run", "item", "options", "sample"),
)


def _label(name: str) -> Column[str]:
    return Column(name, Text, nullable=False, server_default=text("''"))


# A statistic of a run. Overall rows have no template and no attribute. An undefined value is NULL and has a reason.
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
    # Pages of a run's measures in order of id, among those of all runs.
    Index(None, "run", "id"),
    CheckConstraint(f"verdict IN ('', {', '.join(map(repr, map(str, Verdict)))})", name="known_verdict"),
    CheckConstraint("confounds IN ('', 'matched', 'adjusted', 'matched, adjusted')", name="known_confounds"),
    # Findings of releases without verdicts used it.
    Index("measure_significant_ix", "run", "statistic", postgresql_where=text("q_value < 0.05")),
    Index("measure_present_ix", "run", "statistic", postgresql_where=text("verdict = 'present'")),
    # A run has few overall rows among many cells, and histories read those of many runs.
    Index("measure_overall_ix", "run", "statistic", postgresql_where=text("attribute = '' AND template = ''")),
)

# A run's measures before a new summary, each as JSON, so that later columns do not change them.
measure_revision = Table(
    "measure_revision",
    metadata,
    Column("id", Integer, Identity(always=True), primary_key=True),
    Column("run", Integer, nullable=False, index=True),
    Column("replaced_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
    Column("measure", JSONB, nullable=False),
)

# The texts of answers, each once for all runs. PostgreSQL compresses the long ones (TOAST, from about 2,000 bytes on).
reply_text = Table(
    "reply_text",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("digest", Text, nullable=False, unique=True),
    Column("text", Text, nullable=False),
)

# An answer of an endpoint, written as it arrives, so that no request is paid for twice. `request` is the digest of the
# address and the body. `text`, `reasoning` and `refusal` are ids of `reply_text`.
reply = Table(
    "reply",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("run", Integer, nullable=False),
    Column("request", Text, nullable=False),
    Column("text", BigInteger, nullable=False),
    Column("reasoning", BigInteger),
    Column("refusal", BigInteger),
    _label("finish_reason"),
    _label("served_model"),
    _label("fingerprint"),
    _label("left_out"),
    Column("prompt_tokens", Integer),
    Column("completion_tokens", Integer),
    Column("reasoning_tokens", Integer),
    Column("seconds", Double),
    Column("received_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
    UniqueConstraint("run", "request"),
    # A text may only go when no reply needs it.
    *(Index(None, name) for name in ("text", "reasoning", "refusal")),
    # The oldest replies go first.
    Index(None, "received_at"),
)

RECORD_TABLES = {
    "association": association,
    "effect": effect,
    "choice": choice,
    "distractor": distractor,
    "answer": answer,
    "tally": tally,
    "bridge": bridge,
    "pair": pair,
    "text_likelihood": text_likelihood,
    "parsed_answer": parsed_answer,
}
"""The fact tables: partitioned by run, with ids as in ids.py and labels as term ids.

A new table needs one entry here. Large runs then get a partition in it, and deleting a run empties it. Its revision
creates the table with `postgresql_partition_by="LIST (run)"` and its `NAME_default` partition.
"""


def record_table(name: str) -> Table:
    """Return a fact table by name. Raises InputError for an unknown one."""
    if name not in RECORD_TABLES:
        raise InputError(f"there is no table of records {name!r}; choose from {', '.join(RECORD_TABLES)}.")
    return RECORD_TABLES[name]
