"""Whether the words of a list differ by group in frequency or in their pieces: asked once and kept."""

from typing import ClassVar

from django.db import models

from plumbline.audits.models.questions import Question
from plumbline.audits.states import WorkState


class WordTest(Question):
    """Which list is tested, as it reads at that time; and once it is answered, what the tests found."""

    ALPHA: ClassVar = 0.05
    FEWEST_WORDS: ClassVar = 5
    """Groups with fewer words are left out of a test, whose p-value would be far off."""
    FEWEST_PAIRS: ClassVar = 10
    """A rank correlation of fewer words would have hardly any reach."""

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
        """What a worker that has taken it is doing."""
        return f"tests of the words of {self.slug}"
