"""Group lists: the social groups of an audit with the forms that templates ask for."""

from collections.abc import Collection
from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.db import models

from plumbline.vocab.fields import WordField, no_separator
from plumbline.vocab.models.base import Entry, WordList, not_blank
from plumbline.vocab.models.pronouns import Pronoun
from plumbline.vocab.models.recorded import recorded


@recorded
class GroupList(WordList):
    """Social groups."""


@recorded
class Group(Entry):
    """A social group."""

    COLUMNS = (
        *("label", "singular", "plural", "pronoun", "domain", "human_data_key", "pilot"),
        *("modifier", "postfix", "postfix_plural", "components", "emergent"),
    )
    CONTENT = ("label", "singular", "plural", "pronoun")
    BESIDE = ("modifier", "postfix", "postfix_plural")

    word_list = models.ForeignKey(GroupList, on_delete=models.CASCADE, related_name="entries")
    label = WordField(help_text="What reports call the group, and {group} in templates")
    singular = WordField(blank=True)
    plural = WordField(blank=True)
    pronoun = models.CharField(max_length=4, choices=Pronoun.choices, blank=True, help_text="Of one member")
    domain = WordField(blank=True, help_text="Such as: Religion")
    human_data_key = WordField(blank=True, help_text="The group's name in the human judgements")
    pilot = models.BooleanField(default=False, help_text="Served the authors for choosing templates")
    modifier = WordField(blank=True, help_text="What stands before another group in a pair, such as: female")
    postfix = WordField(blank=True, help_text="What stands behind another group in a pair, such as: with a disability")
    postfix_plural = WordField(blank=True, help_text="Behind a plural; empty: the same, such as: with disabilities")
    components = ArrayField(
        WordField(),
        default=list,
        blank=True,
        validators=[no_separator],
        help_text="Of a pair: the labels of the two groups that it is made of, in their order",
    )
    emergent = ArrayField(
        WordField(),
        default=list,
        blank=True,
        validators=[no_separator],
        help_text="Of a pair: traits that people are known to see in it alone, such as: egotistic; low Communion",
    )

    class Meta(Entry.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["word_list", "label"], name="group_once_in_list"),
            not_blank("label", "group_not_blank"),
        ]

    def clean_fields(self, exclude: Collection[str] | None = None) -> None:
        super().clean_fields(exclude=exclude)
        if self.components and (len(self.components) != 2 or len(set(self.components)) != 2):
            raise ValidationError({"components": "name the two groups that the pair is made of, or none"})
