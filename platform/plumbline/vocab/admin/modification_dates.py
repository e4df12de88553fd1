"""Modification dates: each posted page of entries dates the lists that it edited, once each."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from plumbline.vocab.editing import date
from plumbline.vocab.kinds import Kind


class DatesLists(admin.ModelAdmin[Any]):
    """The admin of a kind's entries. Each posted page is one transaction already."""

    kind: Kind

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        shown = super().changelist_view(request, extra_context)
        date(self.kind, _edited_in(request))
        return shown

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        shown = super().changeform_view(request, object_id, form_url, extra_context)
        date(self.kind, _edited_in(request))
        return shown

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        _edited_in(request).add(obj.word_list_id)

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        super().delete_model(request, obj)
        date(self.kind, {obj.word_list_id})

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        lists = set(queryset.order_by().values_list("word_list", flat=True))
        super().delete_queryset(request, queryset)
        date(self.kind, lists)


def _edited_in(request: HttpRequest) -> set[int]:
    """Return the lists whose entries this request has saved so far."""
    lists: set[int] = vars(request).setdefault("edited_lists", set())
    return lists
