"""Unmanaged, read-only mirrors of tables.py for Django and the admin.

A test compares them with the tables. Writing raises an error: use copying.copy_in for records,
measures.replace_measures for measures, terms.ids_of for terms, and partitions.forget to delete a run.
"""

from typing import Any, NoReturn

from django.db import models
from django.db.models import DO_NOTHING


class ReadOnlyError(TypeError):
    """An attempt to write through these models.

    Write through plumbline.results (copying, measures, terms, partitions).
    """

    def __init__(self) -> None:
        super().__init__(type(self).__doc__)


def _refuse(*_: Any, **__: Any) -> NoReturn:
    raise ReadOnlyError


class ReadOnlyQuerySet(models.QuerySet[Any]):
    """A queryset without writing methods."""

    create = get_or_create = update_or_create = bulk_create = bulk_update = update = delete = _refuse
    acreate = aget_or_create = aupdate_or_create = abulk_create = abulk_update = aupdate = adelete = _refuse


class ReadOnlyModel(models.Model):
    """A row without writing methods."""

    objects = ReadOnlyQuerySet.as_manager()
    save = save_base = delete = asave = adelete = _refuse

    class Meta:
        abstract = True
        managed = False


class Term(ReadOnlyModel):
    """A label."""

    id = models.IntegerField(primary_key=True)
    text = models.TextField(unique=True)

    class Meta(ReadOnlyModel.Meta):
        abstract = False
        db_table = '"results"."term"'

    def __str__(self) -> str:
        return self.text


def _term(column: str, **options: Any) -> Any:
    return models.ForeignKey(Term, DO_NOTHING, db_column=column, db_constraint=False, related_name="+", **options)


class Record(ReadOnlyModel):
    """One row of a fact table."""

    id = models.BigIntegerField(primary_key=True)
    run = models.IntegerField()
    probe = _term("probe")

    class Meta(ReadOnlyModel.Meta):
        abstract = True

    def __str__(self) -> str:
        return str(self.id)


class Association(Record):
    """One item of a log-probability probe."""

    template = _term("template")
    group = _term("group")
    attribute = _term("attribute")
    log_p_target = models.FloatField(null=True)
    log_p_prior = models.FloatField(null=True)
    distance_target = models.FloatField(null=True)
    distance_prior = models.FloatField(null=True)
    score = models.FloatField(null=True)
    n_tokens = models.SmallIntegerField(null=True)
    scorable = models.BooleanField()
    reason = _term("reason", null=True)

    class Meta(Record.Meta):
        abstract = False
        db_table = '"results"."association"'


class Effect(Record):
    """An effect size of an embedding association test."""

    template = _term("template")
    group = _term("group")
    attribute = _term("attribute")
    draw = models.IntegerField()
    effect_size = models.FloatField(null=True)
    variance = models.FloatField(null=True)
    sentences = models.IntegerField()
    scorable = models.BooleanField()
    reason = _term("reason", null=True)

    class Meta(Record.Meta):
        abstract = False
        db_table = '"results"."effect"'


class Choice(Record):
    """One answered question with a few options."""

    bank = _term("bank")
    item = _term("item")
    category = _term("category")
    condition = _term("condition")
    polarity = _term("polarity")
    name = _term("name")
    group = _term("group")
    options = _term("options")
    template = _term("template", null=True)
    logits = models.TextField(null=True)
    chosen = models.SmallIntegerField(null=True)
    gold = models.SmallIntegerField(null=True)
    target = models.SmallIntegerField(null=True)
    unknown = models.SmallIntegerField(null=True)
    reason = _term("reason", null=True)
    sample = models.SmallIntegerField(default=0)

    class Meta(Record.Meta):
        abstract = False
        db_table = '"results"."choice"'


class Distractor(Record):
    """A generated distractor."""

    context = _term("context")
    name = _term("name")
    group = _term("group")
    text = models.TextField()
    distance = models.SmallIntegerField()
    log_p = models.FloatField()

    class Meta(Record.Meta):
        abstract = False
        db_table = '"results"."distractor"'


class Answer(Record):
    """An option of a question with its score."""

    context = _term("context")
    name = _term("name")
    group = _term("group")
    text = models.TextField()
    place = models.IntegerField()
    name_tokens = models.SmallIntegerField(null=True)
    logit = models.FloatField(null=True)
    chosen = models.IntegerField(null=True)
    reason = _term("reason", null=True)

    class Meta(Record.Meta):
        abstract = False
        db_table = '"results"."answer"'


class Tally(Record):
    """How often a word was shown with a name, and how often it misled the model."""

    context = _term("context")
    name = _term("name")
    group = _term("group")
    word = _term("word")
    shown = models.IntegerField()
    chosen = models.IntegerField()
    expected = models.FloatField()

    class Meta(Record.Meta):
        abstract = False
        db_table = '"results"."tally"'


class Bridge(Record):
    """A direct score of a first name with a word, one of the two sides of an indirect score."""

    side = _term("side")
    word = _term("word")
    name = _term("name")
    template = _term("template", null=True)
    log_p_target = models.FloatField(null=True)
    log_p_prior = models.FloatField(null=True)
    score = models.FloatField(null=True)
    name_tokens = models.SmallIntegerField()
    scorable = models.BooleanField()
    reason = _term("reason", null=True)

    class Meta(Record.Meta):
        abstract = False
        db_table = '"results"."bridge"'


class Pair(Record):
    """Two sentences as one score has them, or their imported difference."""

    bank = _term("bank")
    item = _term("item")
    category = _term("category")
    scoring = _term("scoring")
    template = _term("template")
    first = models.FloatField(null=True)
    second = models.FloatField(null=True)
    score = models.FloatField(null=True)
    scorable = models.BooleanField()
    reason = _term("reason", null=True)

    class Meta(Record.Meta):
        abstract = False
        db_table = '"results"."pair"'


class TextLikelihood(Record):
    """How likely a model finds a text."""

    bank = _term("bank")
    item = _term("item")
    log_likelihood = models.FloatField(null=True)
    n_tokens = models.IntegerField(null=True)
    n_top1 = models.IntegerField(null=True)
    scorable = models.BooleanField()
    reason = _term("reason", null=True)

    class Meta(Record.Meta):
        abstract = False
        db_table = '"results"."text_likelihood"'


class ParsedAnswer(Record):
    """How a parser understood an answer in text."""

    bank = _term("bank")
    item = _term("item")
    category = _term("category")
    template = _term("template")
    condition = _term("condition")
    group = _term("group")
    options = _term("options")
    answer_class = _term("answer_class")
    parser = _term("parser")
    chosen = models.SmallIntegerField(null=True)
    reply = models.BigIntegerField(null=True)
    sample = models.SmallIntegerField(default=0)

    class Meta(Record.Meta):
        abstract = False
        db_table = '"results"."parsed_answer"'


class ReplyText(ReadOnlyModel):
    """The text of answers of endpoints, once for all runs."""

    id = models.BigIntegerField(primary_key=True)
    digest = models.TextField(unique=True)
    text = models.TextField()

    class Meta(ReadOnlyModel.Meta):
        abstract = False
        db_table = '"results"."reply_text"'


def _reply_text(column: str, **options: Any) -> Any:
    return models.ForeignKey(ReplyText, DO_NOTHING, db_column=column, db_constraint=False, related_name="+", **options)


class Reply(ReadOnlyModel):
    """An answer of an endpoint as it was received."""

    id = models.BigIntegerField(primary_key=True)
    run = models.IntegerField()
    request = models.TextField()
    text = _reply_text("text")
    reasoning = _reply_text("reasoning", null=True)
    refusal = _reply_text("refusal", null=True)
    finish_reason = models.TextField()
    served_model = models.TextField()
    fingerprint = models.TextField()
    left_out = models.TextField()
    prompt_tokens = models.IntegerField(null=True)
    completion_tokens = models.IntegerField(null=True)
    reasoning_tokens = models.IntegerField(null=True)
    seconds = models.FloatField(null=True)
    received_at = models.DateTimeField()

    class Meta(ReadOnlyModel.Meta):
        abstract = False
        db_table = '"results"."reply"'


class Measure(ReadOnlyModel):
    """A statistic of a run."""

    id = models.IntegerField(primary_key=True)
    run = models.IntegerField()
    statistic = models.TextField()
    variant = models.TextField()
    prior = models.TextField()
    group_a = models.TextField()
    group_b = models.TextField()
    category = models.TextField()
    condition = models.TextField()
    attribute = models.TextField()
    template = models.TextField()
    value = models.FloatField(null=True)
    ci_low = models.FloatField(null=True)
    ci_high = models.FloatField(null=True)
    p_value = models.FloatField(null=True)
    familywise_p_value = models.FloatField(null=True)
    equivalence_p = models.FloatField(null=True)
    least_p = models.FloatField(null=True)
    q_value = models.FloatField(null=True)
    verdict = models.TextField()
    smallest_effect = models.FloatField(null=True)
    reachable_q = models.FloatField(null=True)
    equivalence_q = models.FloatField(null=True)
    confounds = models.TextField()
    n = models.IntegerField()
    unit = models.TextField()
    n_units = models.IntegerField()
    n_frames = models.IntegerField()
    reason = models.TextField()

    class Meta(ReadOnlyModel.Meta):
        abstract = False
        db_table = '"results"."measure"'

    def __str__(self) -> str:
        return f"{self.run}: {self.statistic}"
