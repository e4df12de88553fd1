"""The words of a list on the list's own page: a table that is edited cell by cell."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import BadRequest, PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.urls import path, reverse
from django.utils.decorators import method_decorator
from django.views.decorators.http import require_POST

from plumbline.spec.errors import InputError
from plumbline.vocab import words_table
from plumbline.vocab.admin.form_notices import ASKED_IN_FORMS, CHANGED
from plumbline.vocab.admin.words_columns import Column, columns_of, derived_columns
from plumbline.vocab.kinds import Kind
from plumbline.vocab.missing_forms import missing_form_notice
from plumbline.vocab.words_table import CellError, StaleRow

ROWS_A_PAGE = 100
MOST_IN_ONE_FORM = 60
"""A longer list has no form of all its entries, which would be slow."""
MOST_NUMBER = 2**63 - 1


class WithWords(admin.ModelAdmin[Any]):
    """The admin of a kind's lists, whose pages begin with the words of the list."""

    kind: Kind
    change_form_outer_before_template = "admin/vocab/words.html"

    def get_urls(self) -> list[Any]:
        name = f"vocab_{self.model._meta.model_name}_words"
        view = self.admin_site.admin_view(self.words_view)
        return [path("<int:number>/words/", view, name=name), *super().get_urls()]

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        shown = super().changeform_view(request, object_id, form_url, extra_context)
        context = getattr(shown, "context_data", None)
        word_list = (context or {}).get("original")
        if context is not None and word_list is not None and not is_one_form(request):
            context["words"] = self._table(request, word_list)
        return shown

    def _table(self, request: HttpRequest, word_list: Any) -> dict[str, Any]:
        wanted = request.GET.get("find", "").strip()[:200]
        found = words_table.entries(self.kind, word_list, wanted)
        page = Paginator(found, ROWS_A_PAGE).get_page(request.GET.get("words"))
        model = self.model._meta.model_name
        entry = f"admin:vocab_{self.kind.entry_model._meta.model_name}"
        columns = columns_of(self.kind)
        return {
            "list": word_list,
            "kind": self.kind,
            "columns": columns,
            "derived": [column.title for column in derived_columns(self.kind)],
            "page": page,
            "wanted": wanted,
            "rows": [self._row(columns, one) for one in page],
            "may_edit": self._may(request, "change"),
            "may_add": self._may(request, "add"),
            "may_remove": self._may(request, "delete"),
            "edit_url": reverse(f"admin:vocab_{model}_words", args=[word_list.pk]),
            "undo_url": reverse(f"admin:vocab_{model}_undo"),
            "add_url": f"{reverse(f'{entry}_add')}?word_list={word_list.pk}",
            "has_form": found.count() <= MOST_IN_ONE_FORM,
            "all_url": f"{reverse(f'{entry}_changelist')}?word_list__id__exact={word_list.pk}",
        }

    def _row(self, columns: list[Column], entry: Any) -> dict[str, Any]:
        texts = words_table.texts_of(self.kind, entry)
        return {
            "entry": entry,
            "seen": words_table.fingerprint(self.kind, entry),
            "address": reverse(f"admin:vocab_{entry._meta.model_name}_change", args=[entry.pk]),
            "cells": [(column, texts[column.name]) for column in columns],
            "derived": [column.text_of(entry) for column in derived_columns(self.kind)],
        }

    def _may(self, request: HttpRequest, action: str) -> bool:
        model = self.kind.entry_model._meta.model_name
        return request.user.has_perm(f"vocab.{action}_{model}") and self.has_change_permission(request)

    @method_decorator(require_POST)
    def words_view(self, request: HttpRequest, number: int) -> HttpResponse:
        """Change one cell, add a row or remove one, and return the row as JSON; 409 if somebody changed it since."""
        actions = {"set": ("change", self._set), "add": ("add", self._add), "remove": ("delete", self._remove)}
        permission, act = actions.get(request.POST.get("action", ""), ("", None))
        if not self.has_change_permission(request) or (act and not self._may(request, permission)):
            raise PermissionDenied
        if act is None:
            raise BadRequest("there is no such action")
        word_list = self.kind.list_model.objects.filter(pk=number).first()
        if word_list is None:
            raise Http404
        try:
            return JsonResponse(act(request, word_list))
        except StaleRow as error:
            row = self._html(request, error.row) if error.row is not None else ""
            texts = words_table.texts_of(self.kind, error.row) if error.row is not None else {}
            return JsonResponse({"error": str(error), "row": row, "texts": texts}, status=409)
        except CellError as error:
            return JsonResponse({"error": str(error), "column": error.column}, status=422)
        except InputError as error:
            return JsonResponse({"error": str(error), "column": ""}, status=422)

    def _set(self, request: HttpRequest, word_list: Any) -> dict[str, str]:
        asked = {name: request.POST.get(name, "") for name in ("column", "text", "shown")}
        entry, event = words_table.set_cell(self.kind, word_list, _number(request), **asked)
        changed = f"Changed {asked['shown'] or 'nothing'} to {asked['text'].strip() or 'nothing'}."
        row = {"row": self._html(request, entry), "notice": "", "changed": changed, "event": str(event or "")}
        if type(entry) in ASKED_IN_FORMS and asked["column"] in entry.CONTENT:
            told = " ".join(filter(None, (missing_form_notice([entry]), CHANGED)))
            row |= {"notice": told, "plans": self._plans(word_list, entry)}
        return row

    def _add(self, request: HttpRequest, word_list: Any) -> dict[str, str]:
        texts = {column: request.POST.get(f"text-{column}", "") for column in self.kind.columns}
        entry = words_table.add_row(self.kind, word_list, texts)
        row = {"row": self._html(request, entry), "notice": missing_form_notice([entry])}
        return {**row, "added": str(entry), "plans": self._plans(word_list, entry)}

    def _plans(self, word_list: Any, entry: Any = None) -> str:
        """Return the address of the page that lists the plans that ask an entry, or any of the list."""
        return reverse(
            "dependents", args=[self.kind.name, word_list.slug], query={"entry": entry.pk} if entry else None
        )

    def _remove(self, request: HttpRequest, word_list: Any) -> dict[str, str]:
        entry, event = words_table.remove_row(self.kind, word_list, _number(request), request.POST.get("seen", ""))
        return {"row": "", "removed": str(entry), "event": str(event), "plans": self._plans(word_list)}

    def _html(self, request: HttpRequest, entry: Any) -> str:
        words = {"may_edit": self._may(request, "change"), "may_remove": self._may(request, "delete")}
        context = {"row": self._row(columns_of(self.kind), entry), "words": words}
        return render_to_string("admin/vocab/words_row.html", context, request)


def is_one_form(request: HttpRequest) -> bool:
    """Return whether the page of a list shows its words as one form, which needs no JavaScript."""
    return "form" in request.GET or "entries-TOTAL_FORMS" in request.POST


def _number(request: HttpRequest) -> int:
    text = request.POST.get("entry", "")
    if not (text.isascii() and text.isdecimal() and 0 < int(text[:20]) <= MOST_NUMBER):
        raise BadRequest("entry is no number of a row")
    return int(text)
