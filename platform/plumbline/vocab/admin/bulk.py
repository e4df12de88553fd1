"""Bulk edits of entries: actions with a page between, which asks for the target or the value."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import QuerySet
from django.http import HttpRequest
from django.template.response import TemplateResponse
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from plumbline.spec.errors import InputError
from plumbline.vocab import editing
from plumbline.vocab.kinds import Kind

SHOWN = 20


class MoveForm(forms.Form):
    target: Any = forms.ModelChoiceField(label="To the list", queryset=None, widget=UnfoldAdminSelectWidget)

    def __init__(self, kind: Kind, *args: Any) -> None:
        super().__init__(*args)
        self.fields["target"].queryset = kind.list_model.objects.all()  # type: ignore[attr-defined]


class FillForm(forms.Form):
    column = forms.ChoiceField(label="Set", widget=UnfoldAdminSelectWidget)
    value = forms.CharField(
        label="to",
        max_length=1000,
        required=False,
        widget=UnfoldAdminTextInputWidget,
        help_text="Empty clears it. A pronoun is she, he or they; yes or no; words with semicolons between them.",
    )

    def __init__(self, kind: Kind, *args: Any) -> None:
        super().__init__(*args)
        columns = kind.columns[kind.entry_model.KEY :]
        names = [(column, kind.entry_model._meta.get_field(column).verbose_name) for column in columns]
        self.fields["column"].choices = names  # type: ignore[attr-defined]


class BulkEdit(admin.ModelAdmin[Any]):
    """The admin of a kind's entries, with the actions that edit many."""

    kind: Kind
    actions = ("move_entries", "fill_column")

    @admin.action(description="Move to another list ...", permissions=["change"])
    def move_entries(self, request: HttpRequest, entries: QuerySet[Any]) -> TemplateResponse | None:
        def move(pks: list[int], form: forms.Form) -> str:
            target = form.cleaned_data["target"]
            return f"{editing.move(self.kind, pks, target)} moved to {target}."

        return self._ask_for_value(request, entries, MoveForm, move)

    @admin.action(description="Set a column ...", permissions=["change"])
    def fill_column(self, request: HttpRequest, entries: QuerySet[Any]) -> TemplateResponse | None:
        def fill(pks: list[int], form: forms.Form) -> str:
            column, value = form.cleaned_data["column"], form.cleaned_data["value"]
            return f"{column} set for {editing.fill(self.kind, pks, column, value)} that had another."

        return self._ask_for_value(request, entries, FillForm, fill)

    def _ask_for_value(
        self,
        request: HttpRequest,
        entries: QuerySet[Any],
        form_class: type[MoveForm | FillForm],
        edit: Callable[[list[int], forms.Form], str],
    ) -> TemplateResponse | None:
        """Show the page that asks until the answer is valid; then edit, and return to the entries."""
        form = form_class(self.kind, request.POST if "apply" in request.POST else None)
        pks = list(entries.order_by().values_list("pk", flat=True))
        if form.is_valid():
            try:
                self.message_user(request, edit(pks, form))
            except InputError as error:
                form.add_error(None, str(error))
            else:
                return None
        return self._page(request, form, pks, entries)

    def _page(self, request: HttpRequest, form: forms.Form, pks: list[int], entries: QuerySet[Any]) -> TemplateResponse:
        action = request.POST["action"]
        title = dict(self.get_action_choices(request, []))[action].removesuffix(" ...")
        context = {
            **self.admin_site.each_context(request),
            "title": title,
            "opts": self.model._meta,
            "form": form,
            "action": action,
            "checkbox": ACTION_CHECKBOX_NAME,
            "across": request.POST.get("select_across", "0") == "1",
            "selected": request.POST.getlist(ACTION_CHECKBOX_NAME),
            "count": len(pks),
            "some": entries[:SHOWN],
        }
        return TemplateResponse(request, "admin/vocab/bulk.html", context)
