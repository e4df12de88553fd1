"""Buttons from a list or an entry to the pages of what depends on it.

The desk has these pages; here are their addresses.
"""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from plumbline.vocab.admin.buttons import with_buttons
from plumbline.vocab.admin.changes import address
from plumbline.vocab.kinds import Kind


class WithLinks(admin.ModelAdmin[Any]):
    """The admin of a kind's lists or entries, with buttons next to the title."""

    kind: Kind

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        shown = super().changelist_view(request, extra_context)
        return with_buttons(shown, "actions_list", [("History", "history", address(self.kind))])

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        shown = super().changeform_view(request, object_id, form_url, extra_context)
        row = getattr(shown, "context_data", {}).get("original")
        if row and request.method == "POST":
            row = type(row)._default_manager.get(pk=row.pk)  # the form's row may hold a slug that is none
        return with_buttons(shown, "actions_detail", self._of(row)) if row else shown

    def _of(self, row: Any) -> list[tuple[str, str, str]]:
        of_list = isinstance(row, self.kind.list_model)
        word_list = row if of_list else row.word_list
        runs = reverse("dependents", args=[self.kind.name, word_list.slug])
        links = [("Plans and runs", "play_circle", runs if of_list else f"{runs}?entry={row.pk}")]
        if of_list and self.kind.name not in ("templates", "pairings", "ratings"):
            links.append(("Confounds", "call_split", reverse("confounds", args=[self.kind.name, word_list.slug])))
        if of_list and self.kind.name == "ratings":
            links.append(("Judgements", "bar_chart", reverse("judgements", args=[word_list.slug])))
        return links
