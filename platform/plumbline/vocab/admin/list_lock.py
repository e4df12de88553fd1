"""Locks for pages that write: like imports, they lock the lists before they read."""

from typing import Any

from django.contrib import admin
from django.db import transaction
from django.http import HttpRequest, HttpResponse

from plumbline.vocab.kinds import Kind
from plumbline.vocab.locking import lock


class Alone(admin.ModelAdmin[Any]):
    """An admin in which each posted page is one transaction that locks all lists of the kind.

    All of them: a posted page may move entries from any list to any other, and which ones is known once it is read.
    So nothing is saved for a row that another user's import changed or removed.
    """

    kind: Kind

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        with transaction.atomic():
            self._hold(request)
            return super().changelist_view(request, extra_context)

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        with transaction.atomic():
            self._hold(request)
            return super().changeform_view(request, object_id, form_url, extra_context)

    def delete_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        with transaction.atomic():
            self._hold(request)
            return super().delete_view(request, object_id, extra_context)

    def _hold(self, request: HttpRequest) -> None:
        if request.method == "POST" and self.has_view_or_change_permission(request):
            lock(self.kind)


class AloneWithRow(admin.ModelAdmin[Any]):
    """An admin in which each posted page of a row is one transaction that locks that row.

    Rows may be added that refer to it.
    """

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        with transaction.atomic():
            if request.method == "POST" and object_id is not None and object_id.isdecimal():
                list(self.model._default_manager.select_for_update(no_key=True).filter(pk=object_id).values("pk"))
            return super().changeform_view(request, object_id, form_url, extra_context)
