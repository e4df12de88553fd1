"""Questions that only a worker can answer, such as what a model is or how its tokenizer splits words."""

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models

from plumbline.audits.models.plans import ModelUnderAudit
from plumbline.audits.models.runs import Leased
from plumbline.audits.states import WorkState


class Question(Leased):
    """A question that a worker leases. It is done when it has an answer, or an `error`."""

    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    asked_at = models.DateTimeField(auto_now_add=True)
    error = models.TextField(blank=True, help_text="What is wrong, and what to do")

    class Meta:
        abstract = True

    @property
    def answered(self) -> bool:
        return self.state == WorkState.DONE


class TokenizerQuestion(Question):
    """A question whose answer depends on a tokenizer."""

    tokenizer_digest = models.CharField(max_length=64, blank=True, help_text="SHA-256 of the tokenizer's files")

    class Meta:
        abstract = True


class ModelCheck(TokenizerQuestion):
    """The properties that a worker found when it loaded a model. Fields stay empty if it failed earlier."""

    model = models.ForeignKey(ModelUnderAudit, on_delete=models.CASCADE, related_name="checks")
    kind = models.CharField(max_length=20, blank=True, help_text="What it can be asked: masked, causal, ...")
    parameters = models.BigIntegerField(null=True, blank=True, help_text="Numbers in its weight files")
    vocabulary = models.PositiveIntegerField(null=True, blank=True, help_text="Tokens of its tokenizer")
    revision = models.CharField(max_length=200, blank=True, help_text="Commit of the hub, or release of the wheel")
    digest = models.CharField(max_length=64, blank=True, help_text="SHA-256 over weights and config")
    tokenizer = models.CharField(max_length=100, blank=True, help_text="Class of its tokenizer")
    dtype = models.CharField(max_length=40, blank=True, help_text="Number formats of its weights as stored")
    size_on_disk = models.BigIntegerField(null=True, blank=True, help_text="Bytes of its weight files")
    remark = models.CharField(max_length=200, blank=True, help_text="What a reader must know of the weights")
    device = models.CharField(max_length=10, blank=True, help_text="On which it was loaded")

    class Meta:
        ordering: ClassVar = ["-id"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["model"], condition=~models.Q(state=WorkState.DONE), name="one_open_check_of_a_model"
            )
        ]

    def __str__(self) -> str:
        return f"{self.name}: {self.verdict}"

    @property
    def name(self) -> str:
        """The question as text, for the worker that leased it."""
        return f"check of {self.model}"

    @property
    def verdict(self) -> str:
        if not self.answered:
            return "waits for a worker" if self.token is None else "a worker is at it"
        return "does not load" if self.error else "loads"


class SpellingRequest(TokenizerQuestion):
    """A request to split all words of a curated list with the tokenizer of a model."""

    model = models.ForeignKey(ModelUnderAudit, on_delete=models.CASCADE, related_name="spelling_requests")
    kind = models.CharField(max_length=20, help_text="Of the list: names, groups or attributes")
    slug = models.CharField(max_length=100, help_text="Of the list")
    words = models.PositiveIntegerField(null=True, blank=True, help_text="How many were spelled")

    class Meta:
        ordering: ClassVar = ["-id"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["model", "kind", "slug"],
                condition=~models.Q(state=WorkState.DONE),
                name="one_open_spelling_of_a_list",
            )
        ]
        indexes: ClassVar = [models.Index(fields=["kind", "slug"], name="spelling_request_list")]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """The question as text, for the worker that leased it."""
        return f"spelling of {self.slug} for {self.model}"


class Spelling(models.Model):
    """The subwords of one word by one tokenizer: within a sentence after a space, and as a sentence's first word."""

    tokenizer_digest = models.CharField(max_length=64)
    word = models.CharField(max_length=200)
    subwords = models.PositiveSmallIntegerField(help_text="Tokens of the word amid a sentence; 1: a single token")
    pieces = ArrayField(models.TextField(), help_text="These tokens, as the tokenizer writes them")
    subwords_at_start = models.PositiveSmallIntegerField(help_text="Tokens of the word as a sentence's first")
    pieces_at_start = ArrayField(models.TextField())
    fault = models.TextField(blank=True, help_text="Why no model with this tokenizer can score the word")

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["word", "tokenizer_digest"], name="spelling_once")]

    def __str__(self) -> str:
        return f"{self.word}: {' '.join(self.pieces)}"
