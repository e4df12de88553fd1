"""Pairing rules: which groups never make a pair, and which pairs have a word of their own."""

from collections.abc import Collection
from typing import ClassVar

from django.core.exceptions import ValidationError
from django.db import models

from plumbline.vocab.fields import WordField
from plumbline.vocab.models.base import Entry, WordList, not_blank
from plumbline.vocab.models.recorded import recorded


@recorded
class PairingList(WordList):
    """Rules for making pairs of groups."""


@recorded
class Pairing(Entry):
    """The rule for two groups, or for all groups of two domains.

    With a reason the pair is left out. With forms, these take the place of the composed ones. With neither, the
    pair is made although a rule about its domains leaves such pairs out.
    """

    COLUMNS = ("first", "second", "in_order", "reason", "singular", "plural")
    KEY = 2
    CONTENT = ("first", "second")

    word_list = models.ForeignKey(PairingList, on_delete=models.CASCADE, related_name="entries")
    first = WordField(help_text="A group's label, a domain, or: (noun), (no noun)")
    second = WordField(help_text="As the first")
    in_order = models.BooleanField(default=False, help_text="Holds where the first stands before the second only")
    reason = WordField(blank=True, help_text="Why such pairs are left out")
    singular = WordField(blank=True, help_text="The pair's own word, such as: Latina")
    plural = WordField(blank=True)

    class Meta(Entry.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["word_list", "first", "second"], name="pairing_once_in_list"),
            not_blank("first", "first_of_pairing_not_blank"),
            not_blank("second", "second_of_pairing_not_blank"),
        ]

    def words(self) -> tuple[str, ...]:
        return (f"{self.first} + {self.second}",)

    def clean_fields(self, exclude: Collection[str] | None = None) -> None:
        super().clean_fields(exclude=exclude)
        if bool(self.singular) != bool(self.plural):
            raise ValidationError({"singular": "stands without its other form; give singular and plural, or neither"})
        if self.reason and self.singular:
            raise ValidationError({"reason": "is given with a word for the pair; give a reason or a word"})
        if self.singular and not self.in_order:
            raise ValidationError({"in_order": "is no; a word for the pair goes with one order: write yes"})
