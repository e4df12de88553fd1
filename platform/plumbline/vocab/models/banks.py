"""Question banks: questions, published or one's own.

They are imported whole and never edited, so they have no history.
"""

from typing import Any, ClassVar

from django.db import models

from plumbline.vocab.fields import WordField
from plumbline.vocab.models.base import WordList


def kind_choices() -> list[tuple[str, str]]:
    """Return the name and the label of each kind of bank. A migration names this function, so keep its name."""
    from plumbline.vocab.banks.kinds import kind_labels  # the readers of the kinds need the models

    return sorted(kind_labels().items())


class Bank(WordList):
    """The questions of a published data set, or of a file of one's own."""

    kind = models.CharField(max_length=20, choices=kind_choices)
    digest = models.CharField(max_length=64, help_text="SHA-256 of the questions' content")
    imported_from = WordField(max_length=1000, help_text="Names of the files")

    class Meta(WordList.Meta):
        verbose_name = "question bank"


class BankItem(models.Model):
    """One question, in the form of its kind."""

    bank = models.ForeignKey(Bank, on_delete=models.CASCADE, related_name="entries")
    position = models.PositiveIntegerField()
    content = models.JSONField()

    class Meta:
        ordering: ClassVar = ["bank", "position"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["bank", "position"], name="bank_item_position")]

    def __str__(self) -> str:
        return str(self.content.get("id", self.position))

    def contents(self) -> list[dict[str, Any]]:
        """Return the content that a run freezes."""
        return [self.content]
