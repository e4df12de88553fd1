"""Name lists: first names, the group whose members bear each, and how they were coded."""

from typing import Any, ClassVar

from django.db import models

from plumbline.vocab.fields import MOST, AmountField, WordField
from plumbline.vocab.models.base import Entry, WordList, not_blank
from plumbline.vocab.models.pronouns import Pronoun
from plumbline.vocab.models.recorded import recorded


@recorded
class NameList(WordList):
    """First names."""

    frequency_source = WordField(
        max_length=500,
        blank=True,
        default="",
        db_default="",
        help_text="Who counted how frequent the names are, when, where, and in which unit",
    )


@recorded
class Name(Entry):
    """A first name."""

    COLUMNS = ("name", "group", "race", "gender", "pronoun", "frequency")
    CONTENT = ("name", "group", "pronoun")
    BESIDE = ("frequency",)

    word_list = models.ForeignKey(NameList, on_delete=models.CASCADE, related_name="entries")
    name = WordField()
    group = WordField(blank=True, help_text="The group that the name stands for, as reports call it")
    race = WordField(blank=True, help_text="Code of race or ethnicity in the source")
    gender = WordField(blank=True, help_text="Code of gender in the source")
    pronoun = models.CharField(max_length=4, choices=Pronoun.choices, blank=True)
    frequency = AmountField(
        null=True, blank=True, help_text="How frequent the name is, in the list's own unit; empty: not known"
    )

    class Meta(Entry.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["word_list", "name"], name="name_once_in_list"),
            not_blank("name", "name_not_blank"),
            # Postgres holds infinity and NaN for larger than any number.
            models.CheckConstraint(
                condition=models.Q(frequency__gte=0, frequency__lt=MOST), name="name_frequency_is_an_amount"
            ),
        ]

    def contents(self) -> list[dict[str, Any]]:
        """Return the content with a known frequency, 0 too, so that comparisons of groups can adjust for it."""
        known = {} if self.frequency is None else {"frequency": float(self.frequency)}
        return [one | known for one in super().contents()]
