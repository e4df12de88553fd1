"""Sentences of a corpus that contain given words: one streaming pass, with a random sample for each word."""

import random
import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from plumbline.spec.content import Group
from workers.engine.sentences import Sentence

_WORD = re.compile(r"\w+")
_END = re.compile(r"[.!?]+[\"')\]]*\s+")
WORDS_BESIDE = 40
"""A longer sentence is cut to this number of words on either side."""


@dataclass(frozen=True, slots=True)
class Term:
    """A word to look for: its label and its forms."""

    label: str
    forms: tuple[str, ...]


@dataclass(slots=True)
class Sampled:
    """A word's occurrences: their number, and a sample of sentences with the place of the word."""

    count: int = 0
    sentences: list[Sentence] = field(default_factory=list)


def term_of(group: Group) -> Term:
    """Return a group's term with its singular and plural, or with its label if it has neither."""
    forms = tuple(dict.fromkeys(form for form in (group.singular, group.plural) if form))
    return Term(group.label, forms or (group.label,))


def sample(
    documents: Iterable[str], terms: Iterable[Term], size: int, seed: int, *, ignore_case: bool = False
) -> dict[str, Sampled]:
    """Return at most `size` sentences of each word in random order, every occurrence equally likely.

    A word is bounded by characters that are not letters, digits or hyphens: "women's" contains women, "self-confident"
    does not contain confident. Of several words at one place only the longest counts, and none inside it: "Black women"
    is not an occurrence of women. A form with a capital letter must match in case, others match in any case
    (`ignore_case`: all do). A word's sample depends only on the seed and its own occurrences. One pass by reservoir
    sampling (Vitter 1985, algorithm R).
    """
    terms = list(terms)
    lookup = _by_first_word(terms, ignore_case=ignore_case)
    first_words = _any_of(lookup)
    found = {term.label: Sampled() for term in terms}
    generators = {term.label: random.Random(f"{seed}\x1f{term.label}") for term in terms}  # noqa: S311 -- a sample
    for document in documents:
        for labels, start, end in _matches(document, lookup, first_words):
            for label in labels:
                _keep(found[label], generators[label], size, document, start, end)
    for label, one in found.items():
        # The reservoir is partly in the order of the corpus.
        generators[label].shuffle(one.sentences)
    return found


def _keep(own: Sampled, generator: random.Random, size: int, document: str, start: int, end: int) -> None:
    own.count += 1
    if len(own.sentences) < size:
        own.sentences.append(sentence_around(document, start, end))
    elif (place := generator.randrange(own.count)) < size:
        own.sentences[place] = sentence_around(document, start, end)


@dataclass(frozen=True, slots=True)
class _Form:
    text: str
    any_case: bool
    labels: tuple[str, ...]


def _by_first_word(terms: Iterable[Term], *, ignore_case: bool) -> Mapping[str, list[_Form]]:
    """Return the forms by their first word in lower case, the longest first."""
    labels: dict[str, list[str]] = defaultdict(list)
    for term in terms:
        for form in term.forms:
            labels[form].append(term.label)
    lookup: dict[str, list[_Form]] = defaultdict(list)
    for form, own in labels.items():
        any_case = ignore_case or form == form.lower()
        text = form.lower() if any_case else form
        first = _WORD.search(text)
        if first and first.start() == 0:
            lookup[first.group().lower()].append(_Form(text, any_case, tuple(dict.fromkeys(own))))
    for forms in lookup.values():
        forms.sort(key=lambda form: -len(form.text))
    return lookup


def _any_of(words: Collection[str]) -> re.Pattern[str]:
    """Return a pattern for any of the words. Looking up each word of a large corpus would take many times as long."""
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, words))})\b") if words else re.compile("(?!)")


def _matches(
    document: str, lookup: Mapping[str, list[_Form]], first_words: re.Pattern[str]
) -> Iterator[tuple[tuple[str, ...], int, int]]:
    """Yield labels, start and end of each occurrence from left to right, without overlaps."""
    lower = document.lower()
    if len(lower) != len(document):  # a letter whose lower case has two characters would shift positions
        lower = "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in document)
    past = 0
    for match in first_words.finditer(lower):
        start = match.start()
        if start < past or not _is_edge(document, start - 1):
            continue
        forms = lookup[match.group()]
        for form in forms:
            end = start + len(form.text)
            if (lower if form.any_case else document).startswith(form.text, start) and _is_edge(document, end):
                same = (
                    one for one in forms if len(one.text) == len(form.text) and _stands(one, document, lower, start)
                )
                yield tuple(dict.fromkeys(label for one in same for label in one.labels)), start, end
                past = end
                break


def _stands(form: _Form, document: str, lower: str, start: int) -> bool:
    return (lower if form.any_case else document).startswith(form.text, start)


def _is_edge(document: str, place: int) -> bool:
    """Return whether the character at this place, if any, ends a word."""
    return not 0 <= place < len(document) or not (document[place].isalnum() or document[place] in "_-‐‑")


def sentence_around(document: str, start: int, end: int) -> Sentence:
    """Return the document's sentence with the word at [start, end), and the word's place in it."""
    ends = _ends(document)
    left, right = ends[bisect_right(ends, start) - 1], ends[bisect_left(ends, end)]
    before, word, after = document[left:start], document[start:end], document[end:right].rstrip()
    before, after = _last_words(before), _first_words(after)
    return Sentence(before + word + after, ((len(before), len(before) + len(word)),))


@lru_cache(maxsize=1)
def _ends(document: str) -> list[int]:
    """Return the ends of its sentences, with its own start and end; cached, because a document may hold many words."""
    return [0, *(match.end() for match in _END.finditer(document)), len(document)]


def _last_words(text: str) -> str:
    starts = [match.start() for match in re.finditer(r"\S+", text)]
    return text[starts[-WORDS_BESIDE] :] if len(starts) > WORDS_BESIDE else text.lstrip()


def _first_words(text: str) -> str:
    ends = [match.end() for match in re.finditer(r"\S+", text)]
    return text[: ends[WORDS_BESIDE - 1]] if len(ends) > WORDS_BESIDE else text
