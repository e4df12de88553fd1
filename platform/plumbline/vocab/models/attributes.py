"""Attribute sets: words that a group may be linked with, such as occupations, or that name sensitive attributes."""

from typing import ClassVar

from django.core.exceptions import ValidationError
from django.db import models

from plumbline.vocab.fields import WordField
from plumbline.vocab.models.base import Entry, WordList, not_blank
from plumbline.vocab.models.recorded import recorded


@recorded
class AttributeSet(WordList):
    """Words for the slot {attribute}. Specs name attribute sets and trait lists by one key, so they share slugs."""

    sensitive = models.BooleanField(default=False, help_text="The words name people by a protected attribute")

    def clean(self) -> None:
        from plumbline.vocab.models.traits import TraitList

        super().clean()
        if TraitList.objects.filter(slug=self.slug).exists():
            raise ValidationError({"slug": f"{self.slug!r} is a trait list already; choose another slug"})


@recorded
class Attribute(Entry):
    """A word, with its plural if it is a noun."""

    COLUMNS = ("text", "plural", "category", "article", "group", "family")
    CONTENT = ("text", "plural")

    word_list = models.ForeignKey(AttributeSet, on_delete=models.CASCADE, related_name="entries")
    text = WordField()
    plural = WordField(blank=True)
    category = WordField(blank=True, help_text="Part of the set, such as: negative")
    article = WordField(
        blank=True,
        default="",
        help_text="Before the word in {the target} and the like, such as: the (of United States)",
    )
    group = WordField(
        blank=True, default="", help_text="Whom the word names, such as: female; empty: says nothing of it"
    )
    family = WordField(
        blank=True,
        default="",
        help_text="Words of one family are no independent observations, such as the grades of a title; empty: by rule",
    )

    class Meta(Entry.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["word_list", "text"], name="attribute_once_in_list"),
            not_blank("text", "attribute_not_blank"),
        ]
