"""The page of one import: what it changed and skipped, with a button that undoes or redoes it as a whole."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.decorators import method_decorator
from django.views.decorators.http import require_POST, require_safe
from pghistory.models import Context

from plumbline.spec.errors import InputError
from plumbline.vocab.authors import author_name, names_now
from plumbline.vocab.import_records import imports_of
from plumbline.vocab.import_undoing import undo_import
from plumbline.vocab.kinds import Kind
from plumbline.vocab.models import Import

MOST_LISTED = 10
"""The number of imports that a history lists."""


@dataclass(frozen=True, slots=True)
class Act:
    """An import, its undo, or its redo, with its author."""

    record: Import
    what: str
    who: str
    at: datetime


@dataclass(frozen=True, slots=True)
class ImportRow:
    """One import in a list of imports, with its acts, oldest first."""

    record: Import
    acts: list[Act]
    address: str

    @property
    def is_undone(self) -> bool:
        return len(self.acts) % 2 == 0

    @property
    def button(self) -> str:
        return "Redo import" if self.is_undone else "Undo import"

    @property
    def last(self) -> Act:
        return self.acts[-1]


def import_address(kind: Kind, record: Import) -> str:
    """Return the address of the page of one import."""
    return reverse(f"admin:vocab_{kind.list_model._meta.model_name}_imported", args=[record.pk])


def import_rows(kind: Kind, list_id: int | None) -> list[ImportRow]:
    """Return the latest imports of a kind or of a list."""
    return [import_row(kind, record) for record in imports_of(kind.name, list_id)[:MOST_LISTED]]


def import_row(kind: Kind, record: Import) -> ImportRow:
    chain = record.chain()
    contexts = Context.objects.in_bulk([one.context for one in chain])
    people = names_now(contexts.values())
    whats = ("Imported", *("Undone" if number % 2 else "Redone" for number in range(1, len(chain))))
    acts = [
        Act(one, what, author_name(contexts.get(one.context), people), one.created_at)
        for one, what in zip(chain, whats, strict=True)
    ]
    return ImportRow(record, acts, import_address(kind, record))


class WithImports(admin.ModelAdmin[Any]):
    """The admin of a kind's lists, with a page for each import."""

    kind: Kind

    def get_urls(self) -> list[Any]:
        name = f"vocab_{self.kind.list_model._meta.model_name}"
        view = self.admin_site.admin_view
        return [
            path("imported/<int:number>/", view(self.imported_view), name=f"{name}_imported"),
            path("imported/<int:number>/undo/", view(self.undo_import_view), name=f"{name}_undo_import"),
            *super().get_urls(),
        ]

    @method_decorator(require_safe)
    def imported_view(self, request: HttpRequest, number: int) -> HttpResponse:
        """Show what an import changed and skipped, and who undid it."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        record = self._record(number)
        row = import_row(self.kind, record)
        context = {
            **self.admin_site.each_context(request),
            "title": f"Import of {record.file}",
            "opts": self.model._meta,
            "row": row,
            "skipped": record.skipped,
            "lists": self.kind.list_model.objects.filter(pk__in=record.lists),
            "may_undo": may_undo_imports(request, self.kind),
            "undo_url": reverse(f"admin:vocab_{self.model._meta.model_name}_undo_import", args=[record.pk]),
            "lists_url": reverse(f"admin:vocab_{self.model._meta.model_name}_changelist"),
            "history_url": reverse(f"admin:vocab_{self.model._meta.model_name}_changes"),
        }
        return TemplateResponse(request, "admin/vocab/imported.html", context)

    @method_decorator(require_POST)
    def undo_import_view(self, request: HttpRequest, number: int) -> HttpResponse:
        """Undo the import, or redo it if it is undone, and show its page again."""
        if not may_undo_imports(request, self.kind):
            raise PermissionDenied
        record = self._record(number)
        chain = record.chain()
        is_redo, last = len(chain) % 2 == 0, chain[-1]
        try:
            if request.POST.get("act") != str(last.pk):
                raise InputError("somebody undid or redid it meanwhile. Look at it again.")
            undo_import(self.kind, last)
        except InputError as error:
            told = str(error)[:1].upper() + str(error)[1:]
            messages.error(request, f"Not {'redone' if is_redo else 'undone'}. {told}")
        else:
            did, next_step = ("Redone", "undo") if is_redo else ("Undone", "redo")
            messages.success(request, f"{did}: the import of {record.file}. You can {next_step} it here.")
        return HttpResponseRedirect(import_address(self.kind, record))

    def _record(self, number: int) -> Import:
        record = imports_of(self.kind.name, None).filter(pk=number).first()
        if record is None:
            raise Http404
        return record


def may_undo_imports(request: HttpRequest, kind: Kind) -> bool:
    """Return whether the person may add, change and delete lists and entries of the kind: an undo can do all of it."""
    models = (kind.list_model._meta.model_name, kind.entry_model._meta.model_name)
    return request.user.has_perms([f"vocab.{do}_{one}" for do in ("add", "change", "delete") for one in models])
