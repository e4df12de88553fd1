"""Groups and attributes that two runs ask in other words, so that their items are not the same."""

from collections.abc import Mapping
from dataclasses import dataclass

from plumbline.spec.grammar import Word
from plumbline.spec.numbers import counted
from plumbline.spec.sentences import Words


@dataclass(frozen=True, slots=True)
class Reworded:
    """Labels of groups and texts of attributes that both runs ask, in another form each."""

    groups: tuple[str, ...]
    attributes: tuple[str, ...]


def in_shared_sentences(before: Words, after: Words) -> tuple[Words, Words]:
    """Return the words of two runs with the forms that the templates of both read.

    Another form that no such template reads, such as a pronoun, changes no sentence.
    """
    both = set(before.templates) & set(after.templates) or {*before.templates, *after.templates}
    return before.as_read(both), after.as_read(both)


def reworded(before: Words, after: Words) -> Reworded:
    """Return what both runs ask with another singular, plural, pronoun or article, sorted."""
    before, after = in_shared_sentences(before, after)
    return Reworded(_changed(before.groups, after.groups), _changed(before.attributes, after.attributes))


def forms_told(before: Word, after: Word) -> str:
    """Return in which forms two fillers of a slot differ: `plural “women” → “ladies”`."""
    forms = ("singular", "plural", "pronoun", "article")
    pairs = [(form, getattr(before, form), getattr(after, form)) for form in forms]
    return ", ".join(f"{form} {_quoted(old)} → {_quoted(new)}" for form, old, new in pairs if old != new)


def words_told(before: Mapping[str, Word], after: Mapping[str, Word]) -> list[str]:
    """Return how many words a list lost, got, and asks in another form: `2 words left the list`."""
    both = before.keys() & after.keys()
    counts = (
        (len(before.keys() - both), "left the list"),
        (len(after.keys() - both), "came to the list"),
        (sum(before[word] != after[word] for word in both), "asked in another form"),
    )
    return [f"{counted(number, 'word')} {what}" for number, what in counts if number]


def _quoted(text: str) -> str:
    return f"“{text}”" if text else "none"


def have_same_others(before: Words, after: Words) -> bool:
    """Return whether both runs compare a group with the mean of the same other groups, asked in the same forms.

    If one of these groups came, went or has another form, each difference from the mean changes with it.
    """
    before, after = in_shared_sentences(before, after)
    return before.others == after.others


def changed_lists(before: Words, after: Words) -> tuple[str, ...]:
    """Return the lists that both runs ask with other words, or with a word in another form, sorted.

    A figure over such a list is another figure: it may change because the words do.
    """
    before, after = in_shared_sentences(before, after)
    both = before.lists.keys() & after.lists.keys()
    return tuple(sorted(name for name in both if before.of_list(name) != after.of_list(name)))


def _changed(before: Mapping[str, Word], after: Mapping[str, Word]) -> tuple[str, ...]:
    return tuple(sorted(label for label in before.keys() & after.keys() if before[label] != after[label]))
