"""Pages that make a bank of BBQ from a curator's own templates: tables are sent, questions previewed, then saved."""

import io
import zipfile
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.decorators import method_decorator
from django.views.decorators.http import require_http_methods, require_safe

from plumbline.methods.bbq.admin.own_forms import MakeForm, SeedForm, TablesForm
from plumbline.methods.bbq.bank.collected_faults import FaultyTablesError
from plumbline.methods.bbq.bank.curated_tables import Draft, Tables, draft
from plumbline.methods.bbq.bank.vocabulary import LABELS, NAMES
from plumbline.methods.bbq.bank_kinds import STARTER
from plumbline.spec.errors import InputError
from plumbline.vocab import pending_uploads
from plumbline.vocab.admin.buttons import with_buttons
from plumbline.vocab.admin.choice_items import condition_of, options_of
from plumbline.vocab.banks.importing import create
from plumbline.vocab.bundles import Bundle, packed, unpacked
from plumbline.vocab.pending_uploads import Upload

PLACE = "own-templates"
TABLES = [STARTER / f"{name}.csv" for name in ("templates", LABELS, NAMES)]


class WithOwnTemplates(admin.ModelAdmin[Any]):
    """The pages for a curator's own templates in the admin of banks."""

    def get_urls(self) -> list[Any]:
        views = {"own": self.own_view, "own_preview": self.own_preview_view, "own_starter": self.starter_view}
        at = {"own": "own/", "own_preview": "own/preview/", "own_starter": "own/starter.zip"}
        guarded = self.admin_site.admin_view
        return [
            *(path(at[name], guarded(view), name=f"vocab_bank_{name}") for name, view in views.items()),
            *super().get_urls(),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        shown = super().changelist_view(request, extra_context)
        if not may_make(request):
            return shown
        return with_buttons(shown, "actions_list", [("Own BBQ templates", "upload", page("own"))])

    @method_decorator(require_http_methods(["GET", "HEAD", "POST"]))
    def own_view(self, request: HttpRequest) -> HttpResponse:
        """Show the form for tables.

        Good ones are kept for an hour and lead to their questions; all faults are shown.
        """
        _check(request)
        form = TablesForm(*((request.POST, request.FILES) if request.method == "POST" else ()))
        faults: list[str] = []
        if form.is_valid():
            bundle = form.bundle()
            try:
                draft(_tables(bundle), seed=0)
            except InputError as error:
                faults = error.lines() if isinstance(error, FaultyTablesError) else [str(error)]
            else:
                pending_uploads.keep(request, PLACE, Upload("tables", packed(bundle), "", "", update=False))
                return HttpResponseRedirect(page("own_preview"))
        return self._own_page(request, "own_templates", form=form, faults=faults)

    @method_decorator(require_http_methods(["GET", "HEAD", "POST"]))
    def own_preview_view(self, request: HttpRequest) -> HttpResponse:
        """Show the questions of the tables by the seed in the address. A POST request makes a bank of them."""
        _check(request)
        held = pending_uploads.pending(request, PLACE)
        if held is None:
            messages.warning(request, "No tables wait. Tables are kept for an hour: choose them again.")
            return HttpResponseRedirect(page("own"))
        seeds = SeedForm(request.GET or None, initial={"seed": 0})
        seed = seeds.given()
        form = MakeForm(request.POST if request.method == "POST" else None)
        try:
            made = draft(_tables(unpacked(held[1].data)), seed) if seed is not None else None
            if made and form.is_valid():
                return _make(request, form, made)
        except IntegrityError:  # somebody made a bank of that name in this very moment
            form.add_error("into", "Somebody just made a bank of that name; choose another.")
        except InputError as error:
            messages.error(request, f"Nothing was made. {error}")
            return HttpResponseRedirect(page("own"))
        return self._own_page(request, "own_preview", form=form, seeds=seeds, **_draft_context(request, made))

    @method_decorator(require_safe)
    def starter_view(self, request: HttpRequest) -> HttpResponse:
        """Return the starter's tables, as a model to copy."""
        _check(request)
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in TABLES:
                archive.write(file, file.name)
        headers = {"Content-Disposition": 'attachment; filename="bbq-starter.zip"'}
        return HttpResponse(buffer.getvalue(), content_type="application/zip", headers=headers)

    def _own_page(self, request: HttpRequest, name: str, **context: Any) -> HttpResponse:
        everywhere = {
            **self.admin_site.each_context(request),
            "title": "Questions from your own BBQ templates",
            "opts": self.model._meta,
            "lists_url": reverse("admin:vocab_bank_changelist"),
            "own_url": page("own"),
            "starter_url": page("own_starter"),
        }
        return TemplateResponse(request, f"bbq/admin/{name}.html", {**everywhere, **context})


def page(name: str) -> str:
    """Return the address of one of these pages."""
    return reverse(f"admin:vocab_bank_{name}")


def may_make(request: HttpRequest) -> bool:
    """Return whether the person may make banks."""
    return request.user.has_perms(["vocab.add_bank", "vocab.add_bankitem"])


def _check(request: HttpRequest) -> None:
    if not may_make(request):
        raise PermissionDenied


def _tables(bundle: Bundle) -> Tables:
    labels, names = (next(iter(bundle[part]), None) for part in ("labels", "names"))
    return Tables(tuple(bundle["templates"]), labels, names)


def _make(request: HttpRequest, form: MakeForm, made: Draft) -> HttpResponse:
    given = form.cleaned_data
    bank, _ = create("bbq", "the tables", given["into"], made.questions, given["title"])
    pending_uploads.drop(request, PLACE)
    messages.success(request, f"Made the bank {bank.slug} of {len(made.questions.items):,} questions.")
    return HttpResponseRedirect(reverse("admin:vocab_bank_change", args=[bank.pk]))


def _draft_context(request: HttpRequest, made: Draft | None) -> dict[str, Any]:
    """Return what the page of a draft shows: its first questions as the page of a bank shows them."""
    examples = [one.model_dump(mode="json") for one in made.examples] if made else []
    return {
        "made": made,
        "total": len(made.questions.items) if made else 0,
        "examples": [(one, condition_of(one), options_of(one)) for one in examples],
        "here": f"?{request.GET.urlencode()}" if request.GET else "",
    }
