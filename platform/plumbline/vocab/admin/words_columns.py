"""The columns of a list's table of words."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db import models

from plumbline.vocab.admin.families import family_in_use
from plumbline.vocab.admin.group_forms import missing_forms
from plumbline.vocab.kinds import Kind


@dataclass(frozen=True, slots=True)
class Column:
    """A column that people edit. `choices` is empty for free text."""

    name: str
    title: str
    help: str
    choices: tuple[str, ...]
    is_word: bool
    """Whether it is the word of the row, which leads to the row's own page."""

    @property
    def offered(self) -> str:
        """The choices as one attribute of the header, separated by bars; the first one is empty."""
        return "|".join(self.choices)


@dataclass(frozen=True, slots=True)
class Derived:
    """A column that is computed from the row."""

    title: str
    text_of: Callable[[Any], str]


def columns_of(kind: Kind) -> list[Column]:
    """Return the columns of a kind in the order of files."""
    return [_column(kind, number, name) for number, name in enumerate(kind.columns)]


def _column(kind: Kind, number: int, name: str) -> Column:
    field = kind.entry_model._meta.get_field(name)
    return Column(name, str(field.verbose_name), str(field.help_text), _choices(field), number == 0)


def _choices(field: Any) -> tuple[str, ...]:
    if isinstance(field, models.BooleanField):
        return "", "yes"
    return ("", *(str(value) for value, _ in field.choices)) if field.choices else ()


def derived_columns(kind: Kind) -> list[Derived]:
    """Return what pages show beside the cells: the missing forms of groups, the families in use of attributes."""
    if kind.name == "groups":
        return [Derived("missing forms", missing_forms)]
    if kind.name == "attributes":
        return [Derived("family in use", family_in_use)]
    return []
