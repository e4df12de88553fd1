"""The curators' pages: a page for each list, and for each kind a page of all entries that filters by list."""

from collections.abc import Mapping
from typing import Any

from django.contrib import admin
from django.contrib.postgres.fields import ArrayField
from django.db.models import Count, Model, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html

from plumbline.vocab.kinds import KINDS, Kind

MOST_INLINE = 60
"""A longer list has no forms for its entries on its own page, which would be slow: they are on the page of entries."""

WORDS_BETWEEN_SEMICOLONS: Mapping[type[Any], Mapping[str, Any]] = {ArrayField: {"delimiter": ";"}}


class WordListAdmin(admin.ModelAdmin[Any]):
    """One kind of list."""

    list_display = ("slug", "title", "entry_count", "origin", "modified_at")
    list_filter = ("origin",)
    search_fields = ("slug", "title", "description", "source")
    readonly_fields = ("entry_count", "created_at", "modified_at")
    ordering = ("slug",)
    entry_inline: type[admin.TabularInline[Any, Any]]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        lists: QuerySet[Any] = super().get_queryset(request).annotate(entries_counted=Count("entries"))
        return lists

    def get_inlines(self, request: HttpRequest, obj: Any | None) -> list[Any]:
        return [self.entry_inline] if obj is None or obj.entries.count() <= MOST_INLINE else []

    @admin.display(description="entries", ordering="entries_counted")
    def entry_count(self, word_list: Any) -> str:
        """How many entries the list has; leads to them."""
        if word_list.pk is None:
            return "-"
        page = reverse(f"admin:vocab_{self.entry_inline.model._meta.model_name}_changelist")
        count = word_list.entries_counted
        return format_html('<a href="{}?word_list__id__exact={}">{}</a>', page, word_list.pk, count)


class EntryAdmin(admin.ModelAdmin[Any]):
    """The entries of all lists of one kind."""

    list_select_related = ("word_list",)
    autocomplete_fields = ("word_list",)
    formfield_overrides = WORDS_BETWEEN_SEMICOLONS
    ordering = ("word_list__slug", "position", "id")

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        obj.word_list.save(update_fields=["modified_at"])

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        super().delete_model(request, obj)
        obj.word_list.save(update_fields=["modified_at"])


def _inline(kind: Kind) -> type[admin.TabularInline[Any, Any]]:
    fields = {
        "model": kind.entry_model,
        "fields": ("position", *kind.columns),
        "extra": 1,
        "formfield_overrides": WORDS_BETWEEN_SEMICOLONS,
    }
    return type(f"{kind.entry_model.__name__}Inline", (admin.TabularInline,), fields)


def _entry_admin(kind: Kind) -> type[EntryAdmin]:
    model: type[Model] = kind.entry_model
    filters = [name for name in ("group", "domain", "dimension", "category", "variation") if name in kind.columns]
    fields = {
        "list_display": (*kind.columns[: kind.entry_model.KEY], "word_list", *kind.columns[kind.entry_model.KEY :]),
        "list_filter": ("word_list", *filters),
        "search_fields": kind.columns[: kind.entry_model.KEY],
        "fields": ("word_list", "position", *kind.columns),
    }
    return type(f"{model.__name__}Admin", (EntryAdmin,), fields)


for _kind in KINDS.values():
    admin.site.register(
        _kind.list_model,
        type(f"{_kind.list_model.__name__}Admin", (WordListAdmin,), {"entry_inline": _inline(_kind)}),
    )
    admin.site.register(_kind.entry_model, _entry_admin(_kind))
