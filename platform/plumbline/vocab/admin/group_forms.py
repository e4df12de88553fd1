"""The forms of a group beside each other, and which are missing."""

from typing import Any

from django.contrib import admin
from django.db.models import Count, Q
from django.utils.html import format_html

FORMS = {"singular": "{group.singular}", "plural": "{group.plural}", "pronoun": "{they} and {their}"}
"""What a template asks a group for, by the form that gives it."""


def missing_from(group: Any) -> list[str]:
    return [form for form in FORMS if not getattr(group, form)]


@admin.display(description="missing forms")
def missing_forms(group: Any) -> str:
    """The forms of one group that nobody has written."""
    if group.pk is None:
        return "-"
    missing = missing_from(group)
    return format_html("<strong>no {}</strong>", ", no ".join(missing)) if missing else "none"


@admin.display(description="missing forms")
def missing_in_list(group_list: Any) -> str:
    """For each form how many groups of the list lack it, and which templates then refuse the list."""
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
