"""Trait lists: pairs of opposite adjectives, each with further adjectives of the same meaning."""

from typing import Any, ClassVar

from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.db import models

from plumbline.vocab.fields import WordField, no_separator
from plumbline.vocab.models.attributes import AttributeSet
from plumbline.vocab.models.base import Entry, WordList, not_blank
from plumbline.vocab.models.recorded import recorded


@recorded
class TraitList(WordList):
    """Trait pairs; as attributes of a spec they are their adjectives in the order left, right, pair by pair."""

    def clean(self) -> None:
        super().clean()
        if AttributeSet.objects.filter(slug=self.slug).exists():
            raise ValidationError({"slug": f"{self.slug!r} is an attribute set already; choose another slug"})


@recorded
class TraitPair(Entry):
    """Two poles of one trait."""

    COLUMNS = ("left", "right", "dimension", "left_extra", "right_extra", "human_data_key")
    KEY = 2

    word_list = models.ForeignKey(TraitList, on_delete=models.CASCADE, related_name="entries")
    left = WordField()
    right = WordField()
    dimension = WordField(blank=True, help_text="Such as: Agency")
    left_extra = ArrayField(WordField(), default=list, blank=True, validators=[no_separator])
    right_extra = ArrayField(WordField(), default=list, blank=True, validators=[no_separator])
    human_data_key = WordField(blank=True, help_text="The pair's name in the human judgements")

    class Meta(Entry.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["word_list", "left"], name="left_trait_once_in_list"),
            models.UniqueConstraint(fields=["word_list", "right"], name="right_trait_once_in_list"),
            not_blank("left", "left_trait_not_blank"),
            not_blank("right", "right_trait_not_blank"),
        ]

    def words(self) -> tuple[str, ...]:
        return (self.left, self.right)

    def contents(self) -> list[dict[str, Any]]:
        return [self._pole("left"), self._pole("right")]

    def _pole(self, pole: str) -> dict[str, Any]:
        found = {
            "text": getattr(self, pole),
            "plural": "",
            "pole": pole,
            "pair": f"{self.left} - {self.right}",
            "dimension": self.dimension,
        }
        extras = {"extra": list(getattr(self, f"{pole}_extra")), "human_data_key": self.human_data_key}
        return found | {key: value for key, value in extras.items() if value}
