"""Template lists: sentence templates in the project's grammar."""

from typing import ClassVar

from django.db import models

from plumbline.spec.errors import SpecError
from plumbline.spec.grammar import expand
from plumbline.vocab.fields import GrammarField, WordField
from plumbline.vocab.models.base import Entry, WordList, not_blank
from plumbline.vocab.models.recorded import recorded


@recorded
class TemplateList(WordList):
    """Sentence templates."""


@recorded
class SentenceTemplate(Entry):
    """A grammar text that gives one or more templates."""

    COLUMNS = ("template", "variation")
    CONTENT = ("template",)

    word_list = models.ForeignKey(TemplateList, on_delete=models.CASCADE, related_name="entries")
    template = GrammarField(help_text="Such as: [All|Most] {group.plural} are {attribute}.")
    variation = WordField(blank=True, help_text="The kind of sentence, such as: belief")

    class Meta(Entry.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["word_list", "template"], name="template_once_in_list"),
            not_blank("template", "template_not_blank"),
        ]

    def words(self) -> tuple[str, ...]:
        """Return all templates of the text. Two texts of a list may not share one."""
        try:
            return tuple(expand(self.template))
        except SpecError:
            return (self.template,)
