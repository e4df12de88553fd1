"""Base models of all curated lists and their entries."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.core.validators import validate_slug
from django.db import models

from plumbline.vocab.fields import ProseField, WordField

METADATA = ("title", "description", "source", "licence", "origin")


class WordList(models.Model):
    """A list that people curate and audits name by its slug."""

    slug = WordField(unique=True, max_length=100, validators=[validate_slug], help_text="Its name in audit specs")
    title = WordField()
    description = ProseField(blank=True)
    source = WordField(max_length=500, blank=True, help_text="Where the words come from")
    licence = WordField(max_length=500, blank=True)
    origin = WordField(blank=True, help_text="Place, language and year of the words, such as: US, English, 2022")
    seeded = models.CharField(
        max_length=64, blank=True, editable=False, help_text="Digest of the starter data as last loaded into this list"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    modified_at = models.DateTimeField(auto_now=True)

    class Meta:
        abstract = True
        ordering: ClassVar = ["slug"]

    def __str__(self) -> str:
        return self.slug

    def rows(self) -> list[Any]:
        """Return the entries in their order."""
        return list(self.entries.order_by("position", "id"))  # type: ignore[attr-defined]


class Entry(models.Model):
    """One row of a list. Each kind adds the foreign key `word_list` (related name `entries`) and its own words."""

    COLUMNS: ClassVar[tuple[str, ...]] = ()
    """The curated fields, as in CSV files. The first one is required; `note` is the last one in every kind."""
    KEY: ClassVar[int] = 1
    """The number of first columns that identify an entry in its list."""
    CONTENT: ClassVar[tuple[str, ...]] = ()
    """The columns that a run's frozen content always has.

    The others, except the note, join it if they are filled.
    """
    BESIDE: ClassVar[tuple[str, ...]] = ()
    """Columns that describe the words. No run depends on them: like the note, they are never in frozen content."""

    position = models.PositiveIntegerField(null=True, blank=True, help_text="Place in the list; empty: at the end")
    note = WordField(max_length=500, blank=True, help_text="For curators; no part of what a run freezes")

    class Meta:
        abstract = True
        # Postgres puts rows without a position last.
        ordering: ClassVar = ["word_list", "position", "id"]

    def __str__(self) -> str:
        return " - ".join(self.key())

    def words(self) -> tuple[str, ...]:
        """Return the texts that may occur only once in the whole list."""
        return (getattr(self, self.COLUMNS[0]),)

    def key(self) -> tuple[str, ...]:
        """Return the values that identify the entry when a list is imported again."""
        return tuple(getattr(self, column) for column in self.COLUMNS[: self.KEY])

    def values(self) -> dict[str, Any]:
        """Return the curated fields by column."""
        return {column: getattr(self, column) for column in (*self.COLUMNS, "note")}

    def contents(self) -> list[dict[str, Any]]:
        """Return what a run freezes of this entry, without blank extras: a new optional column changes no version."""
        values = self.values()
        extras = {key: values[key] for key in self.COLUMNS if key not in self.CONTENT + self.BESIDE and values[key]}
        return [{key: values[key] for key in self.CONTENT} | extras]

    @classmethod
    def conflicts(cls, new: Sequence[Any], kept: Iterable[Any], about: Mapping[str, Any]) -> list[str]:
        """Return for each new entry its conflict with those that stay and with the list's own fields; "" for none."""
        return [""] * len(new)

    def clean(self) -> None:
        """Raise ValidationError if a word of this entry is in another entry of its list, or twice in this one."""
        super().clean()
        word_list = getattr(self, "word_list", None)
        if not word_list or not word_list.pk:
            return
        rows = word_list.entries.exclude(pk=self.pk)
        if type(self).words is Entry.words:
            # One query in place of the whole list, which may have thousands of words.
            rows = rows.filter(**{self.COLUMNS[0]: self.words()[0]})
        if word := first_repeated([self, *rows]):
            raise ValidationError(f"{word!r} appears twice in the list; keep one", code="twice")


def first_repeated(entries: list[Any]) -> str:
    """Return the first word that occurs more than once in these entries, or ""."""
    seen: set[str] = set()
    for entry in entries:
        for word in entry.words():
            if word in seen:
                return str(word)
            seen.add(word)
    return ""


def not_blank(field: str, name: str) -> models.CheckConstraint:
    """Return the database's own rule that a word has at least one character that is no white space."""
    return models.CheckConstraint(condition=models.Q(**{f"{field}__regex": r"\S"}), name=name)
