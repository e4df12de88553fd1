"""Why a model may link a word to a group without a stereotype: it names the group, or is spelled like its name."""

from collections.abc import Iterable, Iterator
from typing import Protocol

from plumbline.spec.grammar import Word
from plumbline.spec.group_in_word import group_in_word
from plumbline.spec.sentences import Words
from plumbline.spec.word_echo import echo
from plumbline.vocab.banks.definitional import GENDER_ADJECTIVES, definitional_words

NAMES_A_GROUP = (
    "“{word}” is made of a word for {group}. A model that knows its meaning links it to {group}, which is no stereotype"
    " by itself."
)
DEFINES_A_GENDER = (
    "“{word}” names a gender by definition. A model that knows its meaning links it to that gender, which is no"
    " stereotype by itself."
)
IN_NAME = (
    "“{word}” and the name of {group} share the word “{letters}”. A model that repeats what it has read links the two,"
    " which is no stereotype by itself."
)
ALIKE = (
    "“{word}” and the name of {group} share the letters “{letters}”. A model may link words that are spelled alike,"
    " whatever they mean."
)


class OnWord(Protocol):
    """A figure of two groups on a word."""

    @property
    def group_a(self) -> str: ...

    @property
    def group_b(self) -> str: ...

    @property
    def attribute(self) -> str: ...


def word_reasons(words: Words, groups: tuple[str, str], attribute: str) -> list[str]:
    """Return what besides a stereotype can explain a difference of groups on a word, in sentences."""
    word = words.attributes.get(attribute)
    group = group_in_word(word, words.groups) if word else None
    if group:
        return [NAMES_A_GROUP.format(word=attribute, group=group)]
    if word and _defines_a_gender(word) and any(_is_gender(words, group) for group in groups):
        return [DEFINES_A_GENDER.format(word=attribute)]
    return list(_echoes(words, groups, attribute))


def words_with_reasons(words: Words, rows: Iterable[OnWord]) -> str:
    """Return the sentence that names the words of a table that have such a reason, or ""."""
    found = [one.attribute for one in rows if word_reasons(words, (one.group_a, one.group_b), one.attribute)]
    named = [f"“{one}”" for one in dict.fromkeys(found)]
    name = "names a group or a gender, or is" if len(named) == 1 else "name a group or a gender, or are"
    return f"{', '.join(named)} {name} spelled like its name, which is no stereotype by itself." if named else ""


def _defines_a_gender(word: Word) -> bool:
    forms = {form.casefold() for form in (word.label, word.singular, word.plural) if form}
    return not forms.isdisjoint(definitional_words() | GENDER_ADJECTIVES)


def _is_gender(words: Words, group: str) -> bool:
    known = words.groups.get(group)
    return known is not None and _defines_a_gender(known)


def _echoes(words: Words, groups: tuple[str, str], attribute: str) -> Iterator[str]:
    for group in groups:
        known = words.groups.get(group)
        names = (known.label, known.singular, known.plural) if known and attribute else ()
        if letters := echo(attribute, names):
            told = IN_NAME if letters in attribute.casefold().split() else ALIKE
            yield told.format(word=attribute, group=group, letters=letters)
