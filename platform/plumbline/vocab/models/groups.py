"""Group lists: the social groups of an audit with the forms that templates ask for."""

from typing import ClassVar

from django.db import models

from plumbline.vocab.fields import WordField
from plumbline.vocab.models.base import Entry, WordList, not_blank
from plumbline.vocab.models.pronouns import Pronoun
from plumbline.vocab.models.recorded import recorded


@recorded
class GroupList(WordList):
    """Social groups."""


@recorded
class Group(Entry):
    """A social group."""

    COLUMNS = ("label", "singular", "plural", "pronoun", "domain", "human_data_key", "pilot")
    CONTENT = ("label", "singular", "plural", "pronoun")

    word_list = models.ForeignKey(GroupList, on_delete=models.CASCADE, related_name="entries")
    label = WordField(help_text="What reports call the group, and {group} in templates")
    singular = WordField(blank=True)
    plural = WordField(blank=True)
    pronoun = models.CharField(max_length=4, choices=Pronoun.choices, blank=True, help_text="Of one member")
    domain = WordField(blank=True, help_text="Such as: Religion")
    human_data_key = WordField(blank=True, help_text="The group's name in the human judgements")
    pilot = models.BooleanField(default=False, help_text="Served the authors for choosing templates")

    class Meta(Entry.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["word_list", "label"], name="group_once_in_list"),
            not_blank("label", "group_not_blank"),
        ]
