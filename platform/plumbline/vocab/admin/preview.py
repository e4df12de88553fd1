"""The live preview of templates: the typed text, filled with words of lists, below its field."""

from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse_lazy
from django.utils.decorators import method_decorator
from django.views.decorators.http import require_http_methods
from unfold.widgets import UnfoldAdminTextInputWidget

from plumbline.vocab.kinds import Kind
from plumbline.vocab.template_preview import MOST_SHOWN, choices, fill, words_of

MOST_CHARACTERS = 1000


class TemplateInput(UnfoldAdminTextInputWidget):
    """A field for a template. Its script requests the preview while somebody types."""

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        preview = {"data-preview": reverse_lazy("admin:vocab_templatelist_filled"), "class": "template-input"}
        super().__init__({**preview, "spellcheck": "false", **(attrs or {})})

    class Media:
        css = {"all": ["admin-plumbline/template-preview.css"]}  # noqa: RUF012 -- as Django's media declare it
        js = ("admin-plumbline/template-preview.js",)


class Typed(forms.Form):
    """The text in the field, and the slugs of the lists that fill it."""

    template = forms.CharField(max_length=MOST_CHARACTERS, required=False, strip=False)
    groups = forms.CharField(max_length=100, required=False)
    attributes = forms.CharField(max_length=100, required=False)
    names = forms.CharField(max_length=100, required=False)


class WithPreview(admin.ModelAdmin[Any]):
    """The admin of a kind's lists. That of the template lists answers the requests of their fields."""

    kind: Kind

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view(self.filled_view)
        own = [path("filled/", view, name="vocab_templatelist_filled")] if self.kind.name == "templates" else []
        return [*own, *super().get_urls()]

    @method_decorator(require_http_methods(["GET", "HEAD", "POST"]))
    def filled_view(self, request: HttpRequest) -> HttpResponse:
        """Return parts of a page.

        GET: the choice of lists, and room for the sentences. POST: the sentences of a template.
        """
        if not self.has_view_permission(request):
            raise PermissionDenied
        if request.method != "POST":
            return render(request, "admin/vocab/preview.html", {"choices": choices()})
        form = Typed(request.POST)
        if not form.is_valid():
            fault = f"The template has more than {MOST_CHARACTERS:,} characters; shorten it, or make two of it."
            return render(request, "admin/vocab/preview_sentences.html", {"filled": {"fault": fault}})
        asked = form.cleaned_data
        filled = fill(asked["template"], words_of(asked["groups"], asked["attributes"], asked["names"]))
        return render(request, "admin/vocab/preview_sentences.html", {"filled": filled, "most_shown": MOST_SHOWN})
