"""The family of a word: as its curator names it, else as the rule has it."""

from typing import Any

from django.contrib import admin

from plumbline.spec.word_families import family_in_list


@admin.display(description="family in use")
def family_in_use(word: Any) -> str:
    """What summaries take: the curated family, or what the rule gives, which says so."""
    if not word.text:
        return "-"
    found = family_in_list(word.text, word.family)
    return found if word.family else f"{found} (by rule)"
