"""Question banks in the admin, to look at and to delete whole.

`manage.py bank` imports them. Methods may add pages that make them.
"""

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from unfold.admin import ModelAdmin

from plumbline.vocab.admin.bank_filters import OfCategory, OfCondition, OfFlag, OfQuestion, OfTemplate
from plumbline.vocab.admin.choice_items import condition_of, has_options, options_of
from plumbline.vocab.admin.method_pages import admin_bases
from plumbline.vocab.banks.kinds import BankKind, bank_kinds
from plumbline.vocab.models import Bank, BankItem

FIRST = 10
"""The number of items on the page of a bank."""


class ReadOnly(ModelAdmin):
    """An admin in which nobody adds or changes what was imported."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class BankAdmin(ReadOnly):
    """The admin of banks, with their first items and a link to all of them."""

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
        """Return the number of items as a link to them."""
        page = reverse("admin:vocab_bankitem_changelist")
        count = bank.items_counted
        return format_html('<a class="underline" href="{}?bank__id__exact={}">{}</a>', page, bank.pk, count)

    @admin.display
    def validation(self, bank: Any) -> str:
        """Return a link to the bank's templates, whose page says which of them people have validated."""
        kind = _kind(bank)
        page = kind.templates_page if kind else ""
        if not page:
            return "-"
        return format_html('<a class="underline" href="{}">Templates</a>', reverse(page, args=[bank.slug]))

    @admin.display(description=f"first {FIRST} items")
    def first_items(self, bank: Any) -> str:
        shown = bank.entries.order_by("position")[:FIRST]
        lines = ((item, text_of(item), _question_before_options(item), options_of(item.content)) for item in shown)
        return format_html_join("", "<p>{}: {} {}</p>{}", lines)


@admin.register(BankItem)
class BankItemAdmin(ReadOnly):
    """The admin of the questions of all banks, filtered by bank, question, template and flag."""

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
        """Return False: banks are deleted whole."""
        return False

    def get_list_display(self, request: HttpRequest) -> Any:
        bank = _only_bank(request)
        kind = _kind(bank) if bank else None
        return (kind.item_columns if kind else ()) or self.list_display

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        whole: Any = super().get_fields(request, obj)
        return whole if obj is None or has_options(obj.content) else [field for field in whole if field != "options"]

    @admin.display(description="template")
    def version_of(self, item: BankItem) -> str:
        return " ".join(str(item.content.get(key, "")) for key in ("category", "template", "version")).strip()

    @admin.display(description="condition")
    def condition(self, item: BankItem) -> str:
        return condition_of(item.content)

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
        """Return everything that the item holds, a line for each key."""
        return format_html_join("", "<p><b>{}</b>: {}</p>", sorted(item.content.items()))


admin.site.register(Bank, type("BankAdmin", admin_bases(Bank, BankAdmin), {}))


def _kind(bank: Any) -> BankKind | None:
    """Return how banks of this kind are made; None for one whose method is not registered (any more)."""
    return bank_kinds().get(bank.kind)


def _only_bank(request: HttpRequest) -> Bank | None:
    """Return the bank that the page is restricted to."""
    bank = request.GET.get("bank__id__exact", "")
    known = bank.isdecimal() and len(bank) < len(str(2**63))
    return Bank.objects.filter(pk=int(bank)).first() if known else None


def text_of(item: Any) -> str:
    """Return the passage or the situation of a question."""
    return str(item.content.get("text") or item.content.get("context", ""))


def _question_before_options(item: Any) -> str:
    """Return the question if options follow it.

    A passage of GAP has none, and a context's question is in its prompt.
    """
    return question_of(item) if has_options(item.content) else ""


def question_of(item: Any) -> str:
    return str(item.content.get("question", ""))
