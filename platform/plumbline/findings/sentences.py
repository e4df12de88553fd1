"""The form of a finding: a sentence and its figures."""

from collections.abc import Iterable

Sentence = tuple[str, str]
"""A sentence and its figures."""


def primary_first(variants: Iterable[str]) -> list[str]:
    """Return the variants in order: the primary definition has the fewest words in its name."""
    return sorted(variants, key=lambda name: (len(name.split(", ")) if name else 0, name))
