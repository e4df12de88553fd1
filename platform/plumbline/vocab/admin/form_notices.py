"""A warning when a saved group lacks a form that templates need. The group is saved all the same."""

from typing import Any

from django.contrib import admin, messages
from django.http import HttpRequest

from plumbline.vocab.missing_forms import missing_form_notices


class WithFormNotices(admin.ModelAdmin[Any]):
    """An admin of entries, or of lists with their entries in one form."""

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Save the rows of the page, and name the groups among them that lack forms."""
        super().save_related(request, form, formsets, change)
        saved = [row for rows in formsets for row in (*rows.new_objects, *(row for row, _ in rows.changed_objects))]
        for notice in missing_form_notices([form.instance, *saved]):
            messages.warning(request, notice)
