"""Question banks in the admin: looked at, and deleted whole; they are imported by `manage.py bank`."""

from typing import Any

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from unfold.admin import ModelAdmin

from plumbline.vocab.admin.bank_filters import OfFlag, OfQuestion
from plumbline.vocab.models import Bank, BankItem

FIRST = 10
"""Items that the page of a bank shows."""


class ReadOnly(ModelAdmin):
    """Nobody adds or changes what was imported."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Bank)
class BankAdmin(ReadOnly):
    """Banks, with their first items and a way to all of them."""

    list_display = ("slug", "title", "kind", "items", "licence", "created_at")
    list_filter = ("kind",)
    fields = (
        *("slug", "title", "kind", "items", "source", "licence", "origin", "digest", "imported_from", "created_at"),
        *("description", "first_items"),
    )
    ordering = ("slug",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        banks: QuerySet[Any] = super().get_queryset(request).annotate(items_counted=Count("entries"))
        return banks

    @admin.display(ordering="items_counted")
    def items(self, bank: Any) -> str:
        """How many; leads to them."""
        page = reverse("admin:vocab_bankitem_changelist")
        count = bank.items_counted
        return format_html('<a class="underline" href="{}?bank__id__exact={}">{}</a>', page, bank.pk, count)

    @admin.display(description=f"first {FIRST} items")
    def first_items(self, bank: Any) -> str:
        shown = bank.entries.order_by("position")[:FIRST]
        return format_html_join("", "<p>{}: {}</p>", ((item, text_of(item)) for item in shown))


@admin.register(BankItem)
class BankItemAdmin(ReadOnly):
    """The questions of all banks, by bank, by question and by what an import flagged."""

    list_display = ("__str__", "bank", "question", "text", "prompt", "answer", "flags")
    list_filter = ("bank", OfQuestion, OfFlag)
    list_select_related = ("bank",)
    search_fields = ("content__id", "content__context", "content__text")
    fields = ("bank", "position", "whole")
    ordering = ("bank__slug", "position")
    show_full_result_count = False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Banks are deleted whole."""
        return False

    @admin.display
    def question(self, item: BankItem) -> str:
        return str(item.content.get("question", ""))

    @admin.display
    def text(self, item: BankItem) -> str:
        return text_of(item)

    @admin.display
    def prompt(self, item: BankItem) -> str:
        return str(item.content.get("prompt", ""))

    @admin.display
    def answer(self, item: BankItem) -> str:
        return str(item.content.get("answer", ""))

    @admin.display
    def flags(self, item: BankItem) -> str:
        return "; ".join(item.content.get("flags", ()))

    @admin.display(description="content")
    def whole(self, item: BankItem) -> str:
        """Everything that the item holds, a line for each key."""
        return format_html_join("", "<p><b>{}</b>: {}</p>", sorted(item.content.items()))


def text_of(item: Any) -> str:
    """The passage or the situation of a question."""
    return str(item.content.get("text") or item.content.get("context", ""))
