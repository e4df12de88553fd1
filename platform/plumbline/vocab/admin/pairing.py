"""The page that makes pairs of groups: a preview of pairs and of those left out, then a button for the list."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.decorators import method_decorator
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods
from unfold.widgets import UnfoldAdminSelectWidget

from plumbline.spec.digests import digest
from plumbline.spec.errors import InputError
from plumbline.vocab.admin.buttons import with_buttons
from plumbline.vocab.admin.importing import may_import
from plumbline.vocab.admin.new_list_form import NewListForm
from plumbline.vocab.intersections import RULES, Pairs, create, propose
from plumbline.vocab.kinds import Kind
from plumbline.vocab.models import GroupList, PairingList

MOST_SHOWN = 200
CHANGED = "Somebody changed the lists meanwhile: nothing was made. Look at the pairs again."


def _list(label: str, model: type[Any], empty: str | None) -> Any:
    return forms.ModelChoiceField(
        label=label,
        queryset=model.objects.all(),
        to_field_name="slug",
        required=empty is None,
        empty_label=empty,
        widget=UnfoldAdminSelectWidget,
    )


class PairForm(NewListForm):
    """A form for the lists to pair, the rules, and the new list."""

    groups = _list("Pair the groups of", GroupList, None)
    others = _list("with those of", GroupList, "the same list")
    rules = _list("by the rules", PairingList, "none: every pair that has a form")
    field_order = ("groups", "others", "rules", "into", "title")

    def slugs(self) -> list[str]:
        given = self.cleaned_data
        return [one.slug for one in (given["groups"], given["others"]) if one]

    def pairs(self) -> Pairs:
        """Return the pairs. Raises InputError if no pair can be made."""
        return propose(self.slugs(), self.cleaned_data["rules"].slug if self.cleaned_data["rules"] else "")


class WithPairs(admin.ModelAdmin[Any]):
    """The admin of group lists, with the page that pairs them. Other kinds stay as they are."""

    kind: Kind

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view(self.pair_view)
        own = [path("pair/", view, name="vocab_grouplist_pair")] if self.kind.name == "groups" else []
        return [*own, *super().get_urls()]

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        shown = super().changeform_view(request, object_id, form_url, extra_context)
        row = (getattr(shown, "context_data", None) or {}).get("original")
        if not isinstance(row, GroupList) or not may_import(request, self.kind):
            return shown
        page = f"{reverse('admin:vocab_grouplist_pair')}?{urlencode({'groups': row.slug})}"
        return with_buttons(shown, "actions_detail", [("Pair", "join_inner", page)])

    @method_decorator(require_http_methods(["GET", "HEAD", "POST"]))
    def pair_view(self, request: HttpRequest) -> HttpResponse:
        """Show the form; after a POST request the pairs; after their confirmation create the new list."""
        if not may_import(request, self.kind):
            raise PermissionDenied
        asked = {"rules": RULES, **request.GET.dict()}
        form = PairForm(request.POST if request.method == "POST" else None, initial=asked)
        pairs = None
        if form.is_valid():
            try:
                pairs = form.pairs()
                if "make" in request.POST:
                    return self._make_pairs(request, form, pairs)
            except InputError as error:
                form.add_error(None, str(error))
        return self._pairs_page(request, form, pairs)

    def _make_pairs(self, request: HttpRequest, form: PairForm, pairs: Pairs) -> HttpResponse:
        if request.POST.get("seen") != _preview_digest(pairs):
            messages.error(request, CHANGED)
            return self._pairs_page(request, form, pairs)
        given = form.cleaned_data
        try:
            change = create(pairs, form.slugs(), given["into"], given["title"])
        except IntegrityError:  # somebody made a list of that slug in this very moment
            messages.error(request, CHANGED)
            return self._pairs_page(request, form, pairs)
        messages.success(request, f"Made {change}.")
        made = GroupList.objects.get(slug=given["into"])
        return HttpResponseRedirect(reverse("admin:vocab_grouplist_change", args=[made.pk]))

    def _pairs_page(self, request: HttpRequest, form: PairForm, pairs: Pairs | None) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "title": "Pair groups",
            "opts": self.model._meta,
            "form": form,
            "pairs": pairs,
            "made": pairs.made[:MOST_SHOWN] if pairs else [],
            "left_out": pairs.left_out[:MOST_SHOWN] if pairs else [],
            "most_shown": MOST_SHOWN,
            "seen": _preview_digest(pairs) if pairs else "",
            "lists_url": reverse("admin:vocab_grouplist_changelist"),
        }
        return TemplateResponse(request, "admin/vocab/pair.html", context)


def _preview_digest(pairs: Pairs) -> str:
    """Return the digest of what the preview shows, so that nothing else is made."""
    return digest([entry.values() for entry in pairs.made])
