"""Optimistic locking of pages: a colleague's change meanwhile is neither overwritten nor lost.

A form carries the values that it was made with. When it is saved, under the lock of its row, unedited fields follow the
row as it is now. An edited field is refused once if the row has changed too, with the name of the author. The page
then shows the person's entries next to the present values, and a second save writes them.
"""

import json
from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import BadRequest, ValidationError
from django.forms.models import BaseModelFormSet, ModelChoiceField
from django.http import HttpRequest, HttpResponse
from django.utils.functional import cached_property
from unfold.forms import PaginationInlineFormSet

from plumbline.vocab.history import last_author
from plumbline.vocab.undoing import last_state

_Rows: Any = BaseModelFormSet
"""The base class. Its stubs leave out what we extend."""

MOST_CHARACTERS = 60
"""Longer values are not shown in a message; the history has them."""

NOT_WHOLE = "the page is not whole; open it again"


class SeenField(forms.CharField):
    """A field with the values that a page showed, as JSON.

    After a refusal it holds the present ones, not those that were sent.
    """

    widget = forms.HiddenInput

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, **options)

    def bound_data(self, data: Any, initial: Any) -> Any:
        return initial

    def has_changed(self, initial: Any, data: Any) -> bool:
        return False


def shown_values(text: str | None) -> dict[str, Any]:
    """Return the values that a page showed, empty if it does not say.

    Raises BadRequest for what no page of ours sends.
    """
    try:
        found = json.loads(text or "{}")
    except (ValueError, RecursionError):
        raise BadRequest(NOT_WHOLE) from None
    if not isinstance(found, dict):
        raise BadRequest(NOT_WHOLE)
    return found


def shown_values_by_row(text: str | None) -> dict[str, dict[str, Any]]:
    """Return the values that a page showed of many rows, by their numbers. Raises BadRequest as `shown_values` does."""
    found = shown_values(text)
    if not all(isinstance(row, dict) for row in found.values()):
        raise BadRequest(NOT_WHOLE)
    return found


def may_show(field: forms.Field, value: Any) -> bool:
    """Return whether a page of ours may have shown that value, as JSON, in that field."""
    if isinstance(field, forms.ModelMultipleChoiceField):
        return isinstance(value, list) and all(map(_is_number_of_row, value))
    if isinstance(field, ModelChoiceField):
        return value in (None, "") or _is_number_of_row(value)
    if isinstance(field, forms.BooleanField):
        return isinstance(value, bool)
    return all(map(_is_plain, value)) if isinstance(value, list) else _is_plain(value)


def _is_number_of_row(value: Any) -> bool:
    return type(value) is int and 0 < value < 2**63


def _is_plain(value: Any) -> bool:
    # The page could not show half of a surrogate pair.
    return not isinstance(value, dict | list) and not any("\ud800" <= one <= "\udfff" for one in str(value))


class RowForm(forms.ModelForm):  # type: ignore[type-arg] # not generic at run time
    """The form of one row, which can be compared with what its page showed."""

    stale: Mapping[str, tuple[Any, Any]] = {}
    """Fields that somebody changed since, with the shown and the present value: set if the save depends on them."""
    is_gone = False
    """Somebody removed the row since, and the person typed something for it."""
    left_out = False
    """The row is gone, and the person typed nothing for it: there is nothing to save and nothing to report."""

    def now(self) -> dict[str, Any]:
        """Return the row by field, as JSON, when this form was made."""
        if self.instance.pk is None:
            return {}
        # Not the number of the row, which formsets add.
        shown = {name: self.fields[name] for name in self.fields if name in self.initial and name != "seen"}
        values = {name: field.prepare_value(self.initial[name]) for name, field in shown.items()}
        plain: dict[str, Any] = json.loads(json.dumps(values, default=str))
        return plain

    def hold_against(self, seen: Mapping[str, Any]) -> None:
        """Let unedited fields follow the present, and mark edited ones as stale if the row changed meanwhile."""
        now = self.now()
        changed = {name: (seen[name], now[name]) for name in now if name in seen and seen[name] != now[name]}
        if not changed:
            return
        typed = self.typed(seen)
        for name in changed.keys() - typed:
            self._follow(name)
        if any(name not in now or self._differs(name, now[name]) for name in typed):
            self.stale = changed

    def typed(self, seen: Mapping[str, Any]) -> set[str]:
        """Return the fields that the person changed; a tick that asks for removal is one.

        Raises BadRequest for what no page of ours shows.
        """
        if not all(may_show(self.fields[name], seen[name]) for name in seen if name in self.fields):
            raise BadRequest(NOT_WHOLE)
        bound: dict[str, Any] = {name: self[name] for name in self.fields if name not in seen}
        others = {name for name, field in bound.items() if field._has_changed()}
        return others | {name for name in seen if name in self.fields and self._differs(name, seen[name])}

    def _differs(self, name: str, value: Any) -> bool:
        field, data = self.fields[name], self[name].data
        if isinstance(data, str):
            data = data.replace("\r\n", "\n")  # as browsers send lines
        try:
            before = value if isinstance(field, ModelChoiceField) else field.to_python(value)
        except ValidationError:
            return True
        return bool(field.has_changed(before, data))

    def _follow(self, name: str) -> None:
        """Set the field as if the page had shown the present value."""
        field, key = self.fields[name], self.add_prefix(name)
        value = field.prepare_value(self.initial[name])
        widget: Any = getattr(field.widget, "widget", field.widget)
        sent = ("on" if value else None) if isinstance(value, bool) else widget.format_value(value)
        sender: Any = self.data
        data = sender.copy()
        data.setlist(key, [] if sent is None else sent if isinstance(sent, list) else [sent])
        self.data = data

    def clean(self) -> Any:
        cleaned = super().clean()
        if self.stale:
            self.add_error(None, self.conflict_message())
        return cleaned

    def conflict_message(self) -> str:
        """Return who changed what, and what happens to the person's own entries."""
        who = last_author(type(self.instance), self.instance.pk, self.stale)
        row = type(self.instance)._default_manager.get(pk=self.instance.pk)
        changes = ", ".join(self._change(name, *pair) for name, pair in self.stale.items())
        return (
            f"{who} changed {changes} of {str(row)!r} after you opened this page. Nothing is saved: your entries are"
            " kept below, next to the row as it is now. Save again to replace it."
        )

    def _change(self, name: str, was: Any, now: Any) -> str:
        field = self.fields[name]
        texts = _text(field, was), _text(field, now)
        label = str(field.label or name).lower()
        return label if max(map(len, texts)) > MOST_CHARACTERS else f"{label} (was {texts[0]}, now {texts[1]})"

    def has_changed(self) -> bool:
        return not self.left_out and super().has_changed()


def _text(field: Any, value: Any) -> str:
    if value in (None, "", []):
        return "empty"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(field, ModelChoiceField) and field.queryset is not None:
        several = value if isinstance(value, list) else [value]
        return ", ".join(map(str, field.queryset.filter(pk__in=several))) or str(value)
    return str(value)


class SeenForm(RowForm):
    """The form of a row that has a page of its own."""

    seen = SeenField()

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if self.instance.pk is not None:
            self.initial["seen"] = json.dumps(self.now())
        if self.is_bound:
            self.hold_against(shown_values(self.data.get(self.add_prefix("seen"))))


class SeenRows(_Rows):
    """Forms of many rows. The values that the page showed are sent with the counts that every formset sends."""

    @cached_property
    def management_form(self) -> Any:
        form = super().management_form
        form.fields["SEEN"] = SeenField()
        form.initial["SEEN"] = self._now
        return form

    def _now(self) -> str:
        return json.dumps(
            {form.instance.pk: form.now() for form in self.initial_forms if not form.instance._state.adding}
        )

    @cached_property
    def _seen(self) -> dict[str, dict[str, Any]]:
        return shown_values_by_row(self.data.get(f"{self.prefix}-SEEN"))

    def _construct_form(self, i: int, **options: Any) -> Any:
        form: Any = super()._construct_form(i, **options)
        if self.is_bound and self._seen and i < self.initial_form_count():
            if form.instance.pk is not None:
                form.hold_against(self._seen.get(str(form.instance.pk), {}))
            else:
                self._report_removed(form)
        return form

    def _report_removed(self, form: RowForm) -> None:
        """Report a row that somebody removed.

        It is reported once: the page that reports it no longer carries the row.
        """
        seen = self._seen.get(str(self._pk_of(form)))
        form.is_gone = seen is not None and bool(form.typed(seen) - {self.model._meta.pk.name, "DELETE"})
        form.left_out = form.empty_permitted = not form.is_gone

    def _pk_of(self, form: RowForm) -> Any:
        return form[self.model._meta.pk.name].data

    def clean(self) -> None:
        super().clean()
        faults = []
        for form in self.initial_forms:
            if form.is_gone:
                # Instead of the fault of a hidden field.
                form.errors.pop(self.model._meta.pk.name, None)
                faults.append(self._removed_message(self._pk_of(form)))
            elif form.stale and self.can_delete and self._should_delete_form(form):
                faults.append(form.conflict_message())
        if faults:
            raise ValidationError(faults)

    def _removed_message(self, pk: Any) -> str:
        row = last_state(self.model, pk)
        return (
            f"{last_author(self.model, pk, ())} removed {str(row) if row else 'a row'!r} after you opened this page."
            " Nothing is saved: your entries are kept below; save again to leave out those for what was removed, or"
            " undo the removal on the page History first."
        )

    def full_clean(self) -> None:
        """Clean the forms.

        A refused page shows each form next to its own row, whatever was added or removed meanwhile.
        """
        super().full_clean()
        if self.is_bound and (any(self._errors) or self._non_form_errors):
            for form in self.initial_forms:
                if form.instance.pk is None:
                    form.instance = last_state(self.model, self._pk_of(form)) or form.instance
            self._queryset = [form.instance for form in self.initial_forms]


class SeenInlines(SeenRows, PaginationInlineFormSet):
    """Forms of the rows that belong to another one."""


class WithSeen(admin.ModelAdmin[Any]):
    """An admin whose pages of one row, and tables to edit, know what they showed."""

    change_form_before_template = "admin/vocab/seen.html"

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **options: Any) -> Any:
        form = options.pop("form", self.form)
        seen = type(form)(form.__name__, (SeenForm, form), {"__module__": form.__module__})
        return super().get_form(request, obj, change, form=seen, **options)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Return the fields without `seen`, which has no place of its own on the page."""
        return [field for field in super().get_fields(request, obj) if field != "seen"]

    def get_changelist_form(self, request: HttpRequest, **options: Any) -> Any:
        return super().get_changelist_form(request, **{"form": RowForm, **options})

    def get_changelist_formset(self, request: HttpRequest, **options: Any) -> Any:
        return super().get_changelist_formset(request, formset=SeenRows, **options)

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        shown = super().changelist_view(request, extra_context)
        table = (getattr(shown, "context_data", None) or {}).get("cl")
        if table is not None and table.formset is not None and table.formset.is_bound:
            # Django pairs forms with the rows of the present page one by one, even if the rows have changed.
            table.result_list = [form.instance for form in table.formset.initial_forms]
        return shown
