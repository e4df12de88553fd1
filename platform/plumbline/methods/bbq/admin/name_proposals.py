"""Pages that propose words for BBQ: a curator sends tables, compares candidates with published words, accepts."""

import io
import zipfile
from dataclasses import dataclass
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.decorators import method_decorator
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_http_methods, require_safe

from plumbline.methods.bbq.admin.name_forms import NameTablesForm, NeededForm
from plumbline.methods.bbq.bank.collected_faults import FaultyTablesError
from plumbline.methods.bbq.bank.vocabulary import Vocabulary
from plumbline.methods.bbq.proposals.accepting import accept
from plumbline.methods.bbq.proposals.comparison import Comparison, compare, published
from plumbline.methods.bbq.proposals.files import accepted_slugs, files_of
from plumbline.methods.bbq.proposals.proposing import PARTS, Candidate, Tables, proposed, read
from plumbline.methods.bbq.proposals.rules import Needed
from plumbline.spec.errors import InputError
from plumbline.vocab import pending_uploads
from plumbline.vocab.admin.buttons import with_buttons
from plumbline.vocab.admin.importing import may_import
from plumbline.vocab.admin.proposal_forms import AcceptForm
from plumbline.vocab.bundles import Bundle, packed, unpacked
from plumbline.vocab.kinds import KINDS
from plumbline.vocab.pending_uploads import Upload

PLACE = "bbq-names"
MOST = 900
"""The limit on one page: each tick is a field, and Django takes 1,000 fields of a form."""
CHANGED = "Not all that you ticked is proposed by these thresholds: nothing was made. Look at it again."


@dataclass(frozen=True, slots=True)
class Shown:
    """Candidates, beside the published words."""

    candidates: list[Candidate]
    groups: list[Comparison]


class WithBbqNames(admin.ModelAdmin[Any]):
    """The pages for BBQ's vocabulary in the admin of name lists."""

    def get_urls(self) -> list[Any]:
        views = {"": self.bbq_tables_view, "propose/": self.bbq_propose_view, "files/": self.bbq_files_view}
        names = ("bbq_tables", "bbq_propose", "bbq_files")
        own = [
            path(f"bbq/{at}", self.admin_site.admin_view(view), name=f"vocab_namelist_{name}")
            for name, (at, view) in zip(names, views.items(), strict=True)
        ]
        return [*own, *super().get_urls()]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        shown = super().changelist_view(request, extra_context)
        if not _may_propose(request):
            return shown
        return with_buttons(shown, "actions_list", [("Propose for BBQ", "quiz", page("bbq_tables"))])

    @method_decorator(require_http_methods(["GET", "HEAD", "POST"]))
    def bbq_tables_view(self, request: HttpRequest) -> HttpResponse:
        """Show the form for tables. Good ones are kept for an hour and lead to the candidates; all faults are shown."""
        _check(request)
        form = NameTablesForm(*((request.POST, request.FILES) if request.method == "POST" else ()))
        faults: list[str] = []
        if form.is_valid():
            bundle = form.bundle()
            try:
                _compared(bundle, Needed())
            except InputError as error:
                faults = error.lines() if isinstance(error, FaultyTablesError) else [str(error)]
            else:
                pending_uploads.keep(request, PLACE, Upload("tables", packed(bundle), "", "", update=False))
                return HttpResponseRedirect(page("bbq_propose"))
        return self._bbq_page(request, "name_tables", form=form, faults=faults, made=accepted_slugs())

    @method_decorator(require_http_methods(["GET", "HEAD", "POST"]))
    def bbq_propose_view(self, request: HttpRequest) -> HttpResponse:
        """Show the candidates by the thresholds in the address. A POST request makes lists of those that are ticked."""
        _check(request)
        held = pending_uploads.pending(request, PLACE)
        if held is None:
            messages.warning(request, "No tables wait. Tables are kept for an hour: choose them again.")
            return HttpResponseRedirect(page("bbq_tables"))
        thresholds = NeededForm(request.GET or None)
        needed = thresholds.needed()
        shown = _compared(unpacked(held[1].data), needed) if needed else Shown([], [])
        form = AcceptForm(request.POST if request.method == "POST" else None)
        if form.is_valid():
            try:
                return _accept(request, form, shown.candidates)
            except InputError as error:
                form.add_error(None, str(error))
            except IntegrityError:  # somebody made a list of that slug in this very moment
                form.add_error("into", "Somebody just made a list of that name; choose another.")
        return self._bbq_page(
            request, "name_candidates", form=form, thresholds=thresholds, **_page_context(request, shown, held[1])
        )

    @method_decorator(require_safe)
    def bbq_files_view(self, request: HttpRequest) -> HttpResponse:
        """Return accepted lists as the generator's tables."""
        _check(request)
        slug = request.GET.get("lists", "")
        if not (files := files_of(slug)):
            raise Http404
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in files.items():
                archive.writestr(name, text.encode("utf-8-sig"))
        disposition = content_disposition_header(True, f"{slug}.zip") or "attachment"
        headers = {"Content-Disposition": disposition}
        return HttpResponse(buffer.getvalue(), content_type="application/zip", headers=headers)

    def _bbq_page(self, request: HttpRequest, name: str, **context: Any) -> HttpResponse:
        everywhere = {
            **self.admin_site.each_context(request),
            "title": "Propose names and jobs for BBQ",
            "opts": self.model._meta,
            "lists_url": reverse("admin:vocab_namelist_changelist"),
            "table_url": page("bbq_tables"),
            "files_url": page("bbq_files"),
        }
        return TemplateResponse(request, f"bbq/admin/{name}.html", {**everywhere, **context})


def page(name: str) -> str:
    """Return the address of one of these pages."""
    return reverse(f"admin:vocab_namelist_{name}")


def _may_propose(request: HttpRequest) -> bool:
    return may_import(request, KINDS["names"]) and may_import(request, KINDS["attributes"])


def _check(request: HttpRequest) -> None:
    if not _may_propose(request):
        raise PermissionDenied


def _compared(bundle: Bundle, needed: Needed) -> Shown:
    files = {part: some[0] for part, some in bundle.items() if some}
    tables: Tables = read({part: files[part] for part in PARTS if part in files}, needed.repeats)
    words: Vocabulary = published(files.get("published_names"), files.get("published_labels"))
    candidates = proposed(tables, needed)
    return Shown(candidates, compare(candidates, tables, needed, words))


def _page_context(request: HttpRequest, shown: Shown, upload: Upload) -> dict[str, Any]:
    too_many = len(shown.candidates) > MOST
    posted = set(request.POST.getlist("pick")) if request.method == "POST" else None
    bundle = unpacked(upload.data)
    return {
        "files": ", ".join(file.name for some in bundle.values() for file in some),
        "compared": bool(bundle.get("published_names") or bundle.get("published_labels")),
        "total": len(shown.candidates),
        "too_many": MOST if too_many else 0,
        "groups": [] if too_many else shown.groups,
        "ticked": {one.key for one in shown.candidates if (one.ticked if posted is None else one.key in posted)},
        "here": f"?{request.GET.urlencode()}" if request.GET else "",
    }


def _accept(request: HttpRequest, form: AcceptForm, candidates: list[Candidate]) -> HttpResponse:
    picked = set(request.POST.getlist("pick"))
    chosen = [one for one in candidates if one.key in picked]
    if len(chosen) < len(picked):
        raise InputError(CHANGED)
    for change in accept(form.cleaned_data["into"], form.cleaned_data["title"], chosen):
        messages.success(request, f"Made {change}.")
    pending_uploads.drop(request, PLACE)
    return HttpResponseRedirect(page("bbq_tables"))
