"""The pages that propose names: a curator chooses a table of births, ticks names, and accepts them."""

from pathlib import PurePath
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.decorators import method_decorator
from django.views.decorators.http import require_http_methods

from plumbline.spec.errors import InputError
from plumbline.vocab import pending_uploads
from plumbline.vocab.admin.buttons import with_buttons
from plumbline.vocab.admin.importing import may_import
from plumbline.vocab.admin.proposal_forms import AcceptForm, TableForm, ThresholdForm
from plumbline.vocab.faults import FaultyFileError
from plumbline.vocab.kinds import Kind
from plumbline.vocab.models import NameList
from plumbline.vocab.pending_uploads import Upload
from plumbline.vocab.proposals.accepting import accept
from plumbline.vocab.proposals.proportions import Share
from plumbline.vocab.proposals.proposal import Proposal
from plumbline.vocab.proposals.table import table_of

PLACE = "names-proposal"
MOST_NAMES = 900
"""The limit on one page: each tick is a field, and Django takes 1,000 fields of a form."""
CHANGED = "Not all names that you ticked are proposed by these thresholds: nothing was made. Look at the names again."


class WithProposals(admin.ModelAdmin[Any]):
    """The admin of name lists, with the pages that propose names. Other kinds stay as they are."""

    kind: Kind

    def get_urls(self) -> list[Any]:
        guarded = self.admin_site.admin_view
        own = [
            path("table/", guarded(self.table_view), name="vocab_namelist_table"),
            path("propose/", guarded(self.propose_view), name="vocab_namelist_propose"),
        ]
        return [*(own if self.kind.name == "names" else []), *super().get_urls()]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        shown = super().changelist_view(request, extra_context)
        if self.kind.name != "names" or not may_import(request, self.kind):
            return shown
        return with_buttons(
            shown, "actions_list", [("Propose", "person_search", reverse("admin:vocab_namelist_table"))]
        )

    @method_decorator(require_http_methods(["GET", "HEAD", "POST"]))
    def table_view(self, request: HttpRequest) -> HttpResponse:
        """Show the form for a table.

        A good one is kept for an hour and leads to its names, a bad one is shown with its faults.
        """
        self._check_curator(request)
        form = TableForm(request.POST or None, request.FILES or None)
        faults: list[str] = []
        if request.method == "POST" and form.is_valid():
            file = form.cleaned_data["file"]
            name = "".join(one for one in PurePath(file.name).name if one.isprintable())
            data = file.read()
            try:
                table_of(name, data)
            except InputError as error:
                faults = error.lines() if isinstance(error, FaultyFileError) else [str(error)]
            else:
                pending_uploads.keep(request, PLACE, Upload(name, data, "", "", update=False))
                return HttpResponseRedirect(reverse("admin:vocab_namelist_propose"))
        return self._proposal_page(request, "propose_table", form=form, faults=faults)

    @method_decorator(require_http_methods(["GET", "HEAD", "POST"]))
    def propose_view(self, request: HttpRequest) -> HttpResponse:
        """Show the names by the thresholds in the address. A POST request makes a new list of those that are ticked."""
        self._check_curator(request)
        held = pending_uploads.pending(request, PLACE)
        if held is None:
            messages.warning(request, "No table waits. A table is kept for an hour: choose it again.")
            return HttpResponseRedirect(reverse("admin:vocab_namelist_table"))
        upload = held[1]
        thresholds = ThresholdForm(request.GET or None, initial=ThresholdForm.DEFAULTS)
        needed = thresholds.thresholds() if not thresholds.is_bound or thresholds.is_valid() else None
        proposal = Proposal(upload.name, table_of(upload.name, upload.data), needed)
        form = AcceptForm(request.POST if request.method == "POST" else None)
        if form.is_valid():
            try:
                return self._accept(request, form, proposal)
            except InputError as error:
                form.add_error(None, str(error))
            except IntegrityError:  # somebody made a list of that slug in this very moment
                form.add_error("into", "Somebody just made a list of that name; choose another.")
        return self._proposal_page(request, "propose", form=form, **_page_context(request, proposal, thresholds))

    def _accept(self, request: HttpRequest, form: AcceptForm, proposal: Proposal) -> HttpResponse:
        given = form.cleaned_data
        names = _ticked(request, proposal.chosen)
        change = accept(given["into"], given["title"], names, proposal.about())
        pending_uploads.drop(request, PLACE)
        messages.success(request, f"Made {change}.")
        made = NameList.objects.get(slug=given["into"])
        return HttpResponseRedirect(reverse("admin:vocab_namelist_change", args=[made.pk]))

    def _check_curator(self, request: HttpRequest) -> None:
        if not may_import(request, self.kind):
            raise PermissionDenied

    def _proposal_page(self, request: HttpRequest, name: str, **context: Any) -> HttpResponse:
        everywhere = {
            **self.admin_site.each_context(request),
            "title": "Propose names",
            "opts": self.model._meta,
            "lists_url": reverse("admin:vocab_namelist_changelist"),
            "table_url": reverse("admin:vocab_namelist_table"),
        }
        return TemplateResponse(request, f"admin/vocab/{name}.html", {**everywhere, **context})


def _page_context(request: HttpRequest, proposal: Proposal, thresholds: ThresholdForm) -> dict[str, Any]:
    """Return the content of a proposal's page: candidates by group, with the published names."""
    too_many = len(proposal.chosen) > MOST_NAMES
    published = thresholds.published() if proposal.needed else None
    posted = set(request.POST.getlist("name")) if request.method == "POST" else None
    return {
        "proposal": proposal,
        "thresholds": thresholds,
        "too_many": MOST_NAMES if too_many else 0,
        "groups": [] if too_many else proposal.compared_with(published.rows() if published else ()),
        "ticked": {share.name for share in proposal.chosen if posted is None or share.name in posted},
        "here": f"?{request.GET.urlencode()}" if request.GET else "",
    }


def _ticked(request: HttpRequest, chosen: list[Share]) -> list[Share]:
    """Return the ticked names, in their order. Raises InputError for a tick that is not among the names."""
    ticked = set(request.POST.getlist("name"))
    names = [share for share in chosen if share.name in ticked]
    if len(names) < len(ticked):
        raise InputError(CHANGED)
    return names
