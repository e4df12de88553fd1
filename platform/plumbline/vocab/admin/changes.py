"""The page 'History' of a kind of rows: each change with its author, and a button to undo it."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.views.decorators.http import require_POST, require_safe
from unfold.widgets import UnfoldAdminTextInputWidget

from plumbline.spec.errors import InputError
from plumbline.vocab import history, undoing
from plumbline.vocab.admin.import_pages import import_rows
from plumbline.vocab.history import Past
from plumbline.vocab.kinds import Kind

CHANGES_A_PAGE = 50
MOST_COUNTED = 10_000

NEEDED = {"insert": ("change", "delete"), "update": ("change",), "delete": ("change", "add")}
"""The permission that each undo needs: the undo of an addition deletes, the undo of a removal adds."""


def _id() -> forms.IntegerField:
    return forms.IntegerField(min_value=1, max_value=2**63 - 1, required=False, widget=forms.HiddenInput)


class Asked(forms.Form):
    """The history that a page shows: of a list, of an entry, or of a word.

    The template of the page uses these names.
    """

    list = _id()
    entry = _id()
    q = forms.CharField(
        label="Word",
        max_length=200,
        required=False,
        widget=UnfoldAdminTextInputWidget({"type": "search", "placeholder": "A word, as it is or as it was"}),
    )


class Undone(forms.Form):
    """The change to undo: whether it is one of a list itself, and its number."""

    of_list = forms.TypedChoiceField(choices=[("0", "entry"), ("1", "list")], coerce=lambda text: text == "1")
    number = forms.IntegerField(min_value=1, max_value=2**31 - 1)


class Counted(Paginator):  # type: ignore[type-arg] # not generic at run time
    """A paginator that counts up to a limit: the history of years is long, and nobody opens its thousandth page."""

    object_list: Any

    @property
    def count(self) -> int:
        return int(self.object_list[:MOST_COUNTED].count())


def address(kind: Past, **asked: int) -> str:
    """Return the address of the history of a list or of an entry."""
    page = reverse(f"admin:{_url_name(kind, 'changes')}")
    return page + ("?" + urlencode(asked) if asked else "")


def _url_name(kind: Past, page: str) -> str:
    return f"{kind.list_model._meta.app_label}_{kind.list_model._meta.model_name}_{page}"


class WithHistory(admin.ModelAdmin[Any]):
    """The admin of a kind's lists, or of other recorded rows, with the history of the rows and of their entries."""

    kind: Any
    """A `Past`."""

    def get_urls(self) -> list[Any]:
        site = self.admin_site
        return [
            path("changes/", site.admin_view(self.changes_view), name=_url_name(self.kind, "changes")),
            path("changes/undo/", site.admin_view(self.undo_view), name=_url_name(self.kind, "undo")),
            *super().get_urls(),
        ]

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        """Redirect Django's own address of a list's history to ours."""
        if not object_id.isdecimal():
            raise Http404
        return HttpResponseRedirect(address(self.kind, list=int(object_id)))

    @method_decorator(require_safe)
    def changes_view(self, request: HttpRequest) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        form = Asked(request.GET)
        asked = form.cleaned_data if form.is_valid() else {}
        references = history.references(self.kind, asked.get("list"), asked.get("entry"), asked.get("q", "").strip())
        page = Counted(references, CHANGES_A_PAGE).get_page(request.GET.get("page"))
        context = {
            **self.admin_site.each_context(request),
            "title": f"History of {_of_what(self.kind, asked)}",
            "opts": self.model._meta,
            "form": form,
            "page": page,
            "changes": history.changes(self.kind, list(page)),
            "imports": _imports(self.kind, asked),
            "may_undo": self.has_change_permission(request),
            "changes_url": reverse(f"admin:{_url_name(self.kind, 'changes')}"),
            "undo_url": reverse(f"admin:{_url_name(self.kind, 'undo')}"),
            "asked": {name: value for name, value in asked.items() if value},
        }
        return TemplateResponse(request, "admin/vocab/changes.html", context)

    @method_decorator(require_POST)
    def undo_view(self, request: HttpRequest) -> HttpResponse:
        form = Undone(request.POST)
        if not self.has_change_permission(request):
            raise PermissionDenied
        if form.is_valid():
            self._undo(request, form.cleaned_data["number"], of_list=form.cleaned_data["of_list"])
        else:
            self.message_user(request, "No such change; open the history again.", messages.ERROR)
        back = request.POST.get("back", "")
        if not url_has_allowed_host_and_scheme(back, {request.get_host()}, require_https=request.is_secure()):
            back = reverse(f"admin:{_url_name(self.kind, 'changes')}")
        return HttpResponseRedirect(back)

    def _undo(self, request: HttpRequest, number: int, *, of_list: bool) -> None:
        try:
            event = undoing.find(self.kind, number, of_list=of_list)
            self._permit(request, event, of_list)
            done = undoing.undo(self.kind, event, of_list=of_list)
        except InputError as error:
            self.message_user(request, f"Not undone: {error}", messages.ERROR)
        else:
            told = f"Undone: the change of {str(done.row)!r}. This is a change too, and can be undone."
            self.message_user(request, " ".join((told, *done.remarks)))

    def _permit(self, request: HttpRequest, event: Any, of_list: bool) -> None:
        model, actions = self.kind.list_model, NEEDED.get(event.pgh_label, ("change",))
        if not of_list and self.kind.entry_model is not None:
            # What is edited on the page of its list alone has no permissions of its own.
            own = bool(self.kind.entry_model._meta.default_permissions)
            model, actions = (self.kind.entry_model, actions) if own else (model, ("change",))
        for action in actions:
            if not request.user.has_perm(f"{model._meta.app_label}.{action}_{model._meta.model_name}"):
                raise PermissionDenied


def _imports(kind: Past, asked: dict[str, Any]) -> list[Any]:
    """Return the imports of the list, or of all lists. The history of an entry or of a word has none."""
    if not isinstance(kind, Kind) or asked.get("entry") or asked.get("q"):
        return []
    return import_rows(kind, asked.get("list"))


def _of_what(kind: Past, asked: dict[str, Any]) -> str:
    for model, key in ((kind.entry_model, "entry"), (kind.list_model, "list")):
        if model is not None and asked.get(key):
            row = model.objects.filter(pk=asked[key]).first()
            return str(row) if row else f"a {model._meta.verbose_name} that was removed"
    return f"all {kind.list_model._meta.verbose_name_plural}"
