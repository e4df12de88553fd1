"""Pages that methods add to the admin of words and banks. A method's module `admin_pages` has them in ADMIN_PAGES."""

from dataclasses import dataclass
from typing import Any

from django.contrib import admin
from django.db.models import Model

from plumbline.spec.registry import all_contributed


@dataclass(frozen=True, slots=True)
class AdminPages:
    """The addresses and buttons that a method adds to the admin of one model."""

    model: type[Model]
    pages: type[admin.ModelAdmin[Any]]
    """A class that calls `super()`; it precedes the model's own admin in the order of classes."""


def admin_bases(model: type[Model], own: type[admin.ModelAdmin[Any]]) -> tuple[type[admin.ModelAdmin[Any]], ...]:
    """Return the bases of the model's admin: the pages that methods add, then its own admin."""
    added: list[AdminPages] = [*all_contributed("admin_pages", "ADMIN_PAGES").values()]
    return (*(one.pages for one in added if one.model is model), own)
