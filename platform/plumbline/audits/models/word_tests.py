"""Tests of whether a list's words differ by group in frequency or subwords. Each is computed once and stored."""

from typing import ClassVar

from django.db import models

from plumbline.audits.models.questions import Question
from plumbline.audits.states import WorkState


class WordTest(Question):
    """A request to test a list in its current state, and the results when it is done."""

    ALPHA: ClassVar = 0.05
    FEWEST_WORDS: ClassVar = 5
    """The fewest words of a group in a test. The p-values of smaller groups are unreliable."""
    FEWEST_PAIRS: ClassVar = 10
    """The fewest words of a rank correlation. With fewer words it has hardly any power."""

    kind = models.CharField(max_length=20, help_text="Of the list: names, groups or attributes")
    slug = models.CharField(max_length=100, help_text="Of the list")
    key = models.CharField(max_length=64, help_text="Digest of the words, their groups, frequencies and pieces")
    found = models.JSONField(default=dict, blank=True, help_text="Tests of the frequencies and of each tokenizer")

    class Meta:
        ordering: ClassVar = ["-id"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["key"], condition=~models.Q(state=WorkState.DONE), name="one_open_test_of_words"
            )
        ]
        indexes: ClassVar = [models.Index(fields=["key"], name="word_test_key")]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """The request as text, for the worker that leased it."""
        return f"tests of the words of {self.slug}"
