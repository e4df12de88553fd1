"""Groups without a form that templates need: which form, and which lists of templates refuse the group."""

from collections.abc import Iterable, Sequence
from typing import Any

from plumbline.spec.errors import SpecError
from plumbline.spec.grammar import expand, slots
from plumbline.vocab.models import Group, SentenceTemplate

FORMS = {"singular": "a singular", "plural": "a plural", "pronoun": "a pronoun"}
PRONOUN_SLOTS = ("they", "their")
MOST_NAMED = 5


def missing_from(group: Any) -> list[str]:
    """Return the forms that nobody has written."""
    return [form for form in FORMS if not getattr(group, form)]


def lists_that_need() -> dict[str, dict[str, int]]:
    """Return for each form the lists of templates that need it of a group, with the number of such templates."""
    needed: dict[str, dict[str, int]] = {form: {} for form in FORMS}
    templates = SentenceTemplate.objects.filter(template__icontains="{").order_by("word_list__slug")
    for slug, text in templates.values_list("word_list__slug", "template"):
        for form in _forms_in(text):
            needed[form][slug] = needed[form].get(slug, 0) + 1
    return needed


def _forms_in(text: str) -> set[str]:
    try:
        found = [slot for template in expand(text) for slot in slots(template)]
    except SpecError:
        return set()
    forms = {slot.form for slot in found if slot.base == "group" and slot.form in FORMS}
    about_groups = any(slot.base == "group" for slot in found)
    return forms | ({"pronoun"} if about_groups and any(slot.base in PRONOUN_SLOTS for slot in found) else set())


def missing_form_notices(entries: Iterable[Any]) -> list[str]:
    """Return a sentence for each form that groups among the entries lack and templates need."""
    groups = [entry for entry in entries if isinstance(entry, Group)]
    lacking = {form: [group.label for group in groups if not getattr(group, form)] for form in FORMS}
    if not any(lacking.values()):
        return []
    needed = lists_that_need()
    return [_notice(form, labels, needed[form]) for form, labels in lacking.items() if labels and needed[form]]


def missing_form_notice(entries: Iterable[Any]) -> str:
    """Return the notices as one text, "" for none."""
    return " ".join(missing_form_notices(entries))


def _notice(form: str, labels: Sequence[str], lists: dict[str, int]) -> str:
    who = ", ".join(repr(label) for label in labels[:MOST_NAMED])
    more = f" and {len(labels) - MOST_NAMED:,} more" if len(labels) > MOST_NAMED else ""
    has = "has" if len(labels) == 1 else "have"
    return f"{who}{more} {has} no {form}. Templates that need it: {_lists(lists)}."


def _lists(lists: dict[str, int]) -> str:
    shown = [f"{slug} ({count:,})" for slug, count in list(lists.items())[:MOST_NAMED]]
    return ", ".join(shown) + (f" and {len(lists) - MOST_NAMED:,} more lists" if len(lists) > MOST_NAMED else "")
