"""Notices after a group or attribute is saved: the forms that it lacks and templates need, and that they changed."""

from typing import Any

from django.contrib import admin, messages
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from plumbline.vocab.admin.optimistic_locking import SeenForm
from plumbline.vocab.missing_forms import missing_form_notices
from plumbline.vocab.models import Attribute, Group

ASKED_IN_FORMS: dict[type[Any], str] = {Group: "groups", Attribute: "attributes"}
"""The entries of which two runs may ask another form under one name, by the kind of their lists."""
CHANGED = (
    "Later runs ask with the new words. Figures of earlier runs stay; where a word changed, those of later runs are not"
    " compared with them."
)


class WithFormNotices(admin.ModelAdmin[Any]):
    """An admin of entries, or of lists with their entries in one form."""

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Save the rows of the page, and name the groups among them that lack forms."""
        super().save_related(request, form, formsets, change)
        saved = [row for rows in formsets for row in (*rows.new_objects, *(row for row, _ in rows.changed_objects))]
        for notice in missing_form_notices([form.instance, *saved]):
            messages.warning(request, notice)
        if change and _has_new_words(form):
            messages.info(request, _changed_notice(form.instance))


def _has_new_words(form: Any) -> bool:
    """Return whether this is the form of one entry and changes a word of its sentences. A table has many such rows."""
    own_page = isinstance(form, SeenForm) and type(form.instance) in ASKED_IN_FORMS
    return own_page and not set(form.instance.CONTENT).isdisjoint(form.changed_data)


def _changed_notice(entry: Any) -> SafeString:
    kind = ASKED_IN_FORMS[type(entry)]
    plans = f"{reverse('dependents', args=[kind, entry.word_list.slug])}?entry={entry.pk}"
    return format_html('{} <a class="message-button" href="{}">Which plans ask it?</a>', CHANGED, plans)
