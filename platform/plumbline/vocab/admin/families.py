"""The family of a word: the curator's, else that of the rule."""

from typing import Any

from django.contrib import admin

from plumbline.spec.word_families import family_in_list


@admin.display(description="family in use")
def family_in_use(word: Any) -> str:
    """Return the family that summaries use: the curated one, or that of the rule, marked as such."""
    if not word.text:
        return "-"
    found = family_in_list(word.text, word.family)
    return found if word.family else f"{found} (by rule)"
