"""The forms of a group, side by side, and those that are missing."""

from typing import Any

from django.contrib import admin
from django.db.models import Count, Q
from django.utils.html import format_html

from plumbline.vocab.missing_forms import missing_from

FORMS = {"singular": "{group.singular}", "plural": "{group.plural}", "pronoun": "{they} and {their}"}
"""Slots of templates by the form of a group that fills them."""


@admin.display(description="missing forms")
def missing_forms(group: Any) -> str:
    """Return the forms of one group that nobody has written."""
    if group.pk is None:
        return "-"
    missing = missing_from(group)
    return format_html("<strong>no {}</strong>", ", no ".join(missing)) if missing else "none"


@admin.display(description="missing forms")
def missing_in_list(group_list: Any) -> str:
    """Return for each form how many groups of the list lack it, and which templates refuse the list for that reason."""
    if group_list.pk is None:
        return "-"
    lacking = {form: Count("pk", filter=Q(**{form: ""})) for form in FORMS}
    counts = group_list.entries.aggregate(all=Count("pk"), **{f"no_{form}": count for form, count in lacking.items()})
    told = [
        f"{form}: {counts[f'no_{form}']} of {counts['all']}, which templates with {slot} refuse"
        for form, slot in FORMS.items()
        if counts[f"no_{form}"]
    ]
    return "; ".join(told) or "none"
