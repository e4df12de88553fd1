"""Name lists: first names, the group whose members bear each, and how they were coded."""

from typing import ClassVar

from django.db import models

from plumbline.vocab.fields import WordField
from plumbline.vocab.models.base import Entry, WordList, not_blank
from plumbline.vocab.models.pronouns import Pronoun
from plumbline.vocab.models.recorded import recorded


@recorded
class NameList(WordList):
    """First names."""


@recorded
class Name(Entry):
    """A first name."""

    COLUMNS = ("name", "group", "race", "gender", "pronoun")
    CONTENT = ("name", "group", "pronoun")

    word_list = models.ForeignKey(NameList, on_delete=models.CASCADE, related_name="entries")
    name = WordField()
    group = WordField(blank=True, help_text="The group that the name stands for, as reports call it")
    race = WordField(blank=True, help_text="Code of race or ethnicity in the source")
    gender = WordField(blank=True, help_text="Code of gender in the source")
    pronoun = models.CharField(max_length=4, choices=Pronoun.choices, blank=True)

    class Meta(Entry.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["word_list", "name"], name="name_once_in_list"),
            not_blank("name", "name_not_blank"),
        ]
