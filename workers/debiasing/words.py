"""Words that name groups, and their counterparts for other groups."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from plumbline.spec.errors import InputError


@dataclass(frozen=True)
class GroupWords:
    """A curated list: each form of each word, its group, and its counterparts by group."""

    slug: str
    group_of: Mapping[str, str]
    """Form -> group, in the order of the list; forms in lower case."""
    written: Mapping[str, str]
    """Form in lower case -> the curated form."""
    counterparts: Mapping[str, Mapping[str, str]]
    """Form -> group -> the counterpart of that group."""
    ambiguous: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Form -> the groups for which the list has several counterparts, of which the first is taken."""

    @classmethod
    def of(cls, slug: str, entries: Iterable[Mapping[str, str]]) -> "GroupWords":
        """Read a frozen attribute set. Words of one category are counterparts; a word may have several, by `;`.

        Raises InputError for a list whose words name fewer than two groups.
        """
        rows = [entry for entry in entries if entry.get("group")]
        if len({row["group"] for row in rows}) < 2:
            raise InputError(
                f"the words of {slug!r} name fewer than two groups: fill the columns group and category, as in"
                " counterparts-gender"
            )
        forms = [(row[form], row, form) for row in rows for form in ("text", "plural") if row.get(form)]
        return cls(
            slug,
            {text.lower(): row["group"] for text, row, _ in forms},
            {text.lower(): text for text, _, _ in forms},
            {text.lower(): _counterparts(row, form, rows) for text, row, form in forms},
            {text.lower(): _ambiguous(row, form, rows) for text, row, form in forms},
        )

    @property
    def groups(self) -> list[str]:
        return list(dict.fromkeys(self.group_of.values()))

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        longest_first = sorted(self.group_of, key=lambda form: -len(form))
        return re.compile(rf"\b(?:{'|'.join(map(re.escape, longest_first))})\b", re.IGNORECASE)

    def named_in(self, sentence: str) -> frozenset[str]:
        """Return the groups that the sentence names."""
        return frozenset(self.group_of[word.lower()] for word in self._words(sentence))

    def about(self, sentence: str, group: str) -> str | None:
        """Return the sentence with every word replaced by its counterpart of the group; None if one has none."""
        if None in [self.counterparts[word.lower()].get(group) for word in self._words(sentence)]:
            return None
        return self.replaced(sentence, lambda word: self.counterpart(word, group))

    def replaced(self, text: str, put: Callable[[str], str]) -> str:
        """Return the text with each word of the list replaced by what `put` returns for it, as it is written there."""
        return self._pattern.sub(lambda one: put(one.group()) if self._is_listed(one.group()) else one.group(), text)

    def _words(self, text: str) -> list[str]:
        return [one.group() for one in self._pattern.finditer(text) if self._is_listed(one.group())]

    def _is_listed(self, word: str) -> bool:
        """Return False for a look-alike: to the pattern, the long s equals s and the dotless i equals i."""
        return word.lower() in self.group_of

    def counterpart(self, word: str, group: str) -> str:
        """Return the counterpart with the capitals that the word has here. Raises KeyError if it has none."""
        found, own = self.counterparts[word.lower()][group], self.written[word.lower()]
        if word == own or (word.isupper() and len(word) == 1):
            return found
        return found.upper() if word.isupper() else found[0].upper() + found[1:] if word[0].isupper() else found


def _counterparts(row: Mapping[str, str], form: str, rows: Iterable[Mapping[str, str]]) -> Mapping[str, str]:
    """Return by group the first word of the row's first category with one; for its own group the word itself."""
    found = {row["group"]: row[form]}
    for category in _categories(row):
        for other in rows:
            if category in _categories(other) and other.get(form):
                found.setdefault(other["group"], other[form])
    return found


def _ambiguous(row: Mapping[str, str], form: str, rows: Iterable[Mapping[str, str]]) -> frozenset[str]:
    """Return the other groups of which several words share a category with the row."""
    found: dict[str, set[str]] = {}
    for other in rows:
        if other["group"] != row["group"] and other.get(form) and {*_categories(row)} & {*_categories(other)}:
            found.setdefault(other["group"], set()).add(other[form])
    return frozenset(group for group, forms in found.items() if len(forms) > 1)


def _categories(row: Mapping[str, str]) -> list[str]:
    return [part.strip() for part in row.get("category", "").split(";") if part.strip()]
