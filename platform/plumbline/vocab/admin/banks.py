"""Question banks in the admin: looked at, and deleted whole.

`manage.py bank` imports them; of templates of one's own, a page makes them.
"""

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from unfold.admin import ModelAdmin

from plumbline.vocab.admin.bank_filters import OfCategory, OfCondition, OfFlag, OfQuestion, OfTemplate
from plumbline.vocab.admin.bbq_items import COLUMNS, asked_of, is_bbq, of_bbq, options_of
from plumbline.vocab.admin.own_templates import WithOwnTemplates
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
class BankAdmin(WithOwnTemplates, ReadOnly):
    """Banks, with their first items and a way to all of them."""

    list_display = ("slug", "title", "kind", "items", "validation", "licence", "created_at")
    list_filter = ("kind",)
    fields = (
        *("slug", "title", "kind", "items", "validation", "source", "licence", "origin", "digest", "imported_from"),
        *("created_at", "description", "first_items"),
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

    @admin.display
    def validation(self, bank: Any) -> str:
        """Leads to the templates of a bank of BBQ: the desk knows which of them people have validated."""
        if bank.kind != Bank.Kind.BBQ:
            return "-"
        return format_html('<a class="underline" href="{}">Templates</a>', reverse("bank_templates", args=[bank.slug]))

    @admin.display(description=f"first {FIRST} items")
    def first_items(self, bank: Any) -> str:
        shown = bank.entries.order_by("position")[:FIRST]
        lines = ((item, text_of(item), _asked(item), options_of(item.content)) for item in shown)
        return format_html_join("", "<p>{}: {} {}</p>{}", lines)


@admin.register(BankItem)
class BankItemAdmin(ReadOnly):
    """The questions of all banks, by bank, by question and by what an import flagged; of BBQ also by template."""

    list_display = ("__str__", "bank", "question", "text", "prompt", "answer", "flags")
    list_filter = ("bank", OfCategory, OfTemplate, OfCondition, OfFlag, OfQuestion)
    list_select_related = ("bank",)
    search_fields = ("content__id", "content__context", "content__text")
    fields = ("bank", "position", "options", "whole")
    ordering = ("bank__slug", "position")
    show_full_result_count = False

    class Media:
        css: ClassVar = {"all": ("admin-plumbline/banks.css",)}

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Banks are deleted whole."""
        return False

    def get_list_display(self, request: HttpRequest) -> Any:
        return COLUMNS if of_bbq(request) else self.list_display

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        whole: Any = super().get_fields(request, obj)
        return whole if obj is None or is_bbq(obj.content) else [field for field in whole if field != "options"]

    @admin.display(description="template")
    def version_of(self, item: BankItem) -> str:
        return " ".join(str(item.content.get(key, "")) for key in ("category", "template", "version")).strip()

    @admin.display(description="condition")
    def asked(self, item: BankItem) -> str:
        return asked_of(item.content)

    @admin.display
    def options(self, item: BankItem) -> str:
        return options_of(item.content)

    @admin.display
    def question(self, item: BankItem) -> str:
        return question_of(item)

    @admin.display
    def text(self, item: BankItem) -> str:
        return text_of(item)

    @admin.display
    def prompt(self, item: BankItem) -> str:
        return str(item.content.get("prompt", ""))

    @admin.display
    def answer(self, item: BankItem) -> str:
        return options_of(item.content) or str(item.content.get("answer", ""))

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


def _asked(item: Any) -> str:
    """The question where options follow it; a passage of GAP has none, and a context's stands in its prompt."""
    return question_of(item) if is_bbq(item.content) else ""


def question_of(item: Any) -> str:
    return str(item.content.get("question", ""))
