"""Confounds of differences between a list's words: how tokenizers split the words, and how frequent they are."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from plumbline.audits.models import ModelCheck, Spelling, SpellingRequest, WordTest
from plumbline.audits.word_materials import Spelled, WordMaterial

MOST_SHOWN = 50
"""The number of words shown with their subwords, for each tokenizer."""


class Split(NamedTuple):
    """A word with its subwords. `fault` says why it cannot be scored."""

    word: str
    part: str
    pieces: list[str]
    fault: str


@dataclass(frozen=True, slots=True)
class Part:
    """The words of one group: their number, their mean number of subwords, and how many are one token.

    The interval is missing below two words and if all words are alike.
    """

    name: str
    n: int
    mean: float
    single: int
    ci_low: float | None = None
    ci_high: float | None = None

    @property
    def single_share(self) -> float:
        return self.single / self.n


class Row(NamedTuple):
    """A group: its words within a sentence (`amid`), mean subwords at the start, words that cannot be split."""

    name: str
    amid: Part | None
    at_start: float | None
    faults: int


@dataclass(frozen=True, slots=True)
class Confounds:
    """One tokenizer on the words of a list. `difference` and `related` are test results, None if there was no test."""

    tokenizer_digest: str
    models: list[str]
    rows: list[Row]
    spelled: int
    most_split: list[Split]
    difference: Mapping[str, Any] | None
    related: Mapping[str, Any] | None
    """The test of whether frequent words have fewer subwords."""

    @property
    def extremes(self) -> tuple[Part, Part] | None:
        """The groups with the most and the fewest subwords, if the test shows that groups differ."""
        if not (self.difference and self.difference["present"]):
            return None
        tested = [row.amid for row in self.rows if row.amid and row.amid.n >= WordTest.FEWEST_WORDS]
        return max(tested, key=lambda part: part.mean), min(tested, key=lambda part: part.mean)


def confounds_of(material: WordMaterial, tests: Mapping[str, Any]) -> list[Confounds]:
    """Return the confounds for each tokenizer. `tests` is WordTest.found, empty without a test. Three queries."""
    models = _models(material.spelled)
    pieces = _pieces(material.spelled)
    tested = tests.get("tokenizers", {})
    found = [
        _confounds(digest, models[digest], material, pieces, tested.get(digest, {})) for digest in material.spelled
    ]
    return sorted(found, key=lambda one: (one.models, one.tokenizer_digest))


def _confounds(
    digest: str,
    models: list[str],
    material: WordMaterial,
    pieces: Mapping[tuple[str, str], list[str]],
    tested: Mapping[str, Any],
) -> Confounds:
    words, part_of = material.spelled[digest], material.part_of
    return Confounds(
        digest,
        models,
        _rows(words, part_of, tested.get("intervals", {})),
        len(words),
        [Split(word, part_of[word], pieces[digest, word], words[word].fault) for word in _most_split(words)],
        tested.get("difference"),
        tested.get("related"),
    )


def _most_split(words: Spelled) -> list[str]:
    """Return the words with the most subwords. Words with a fault come first."""
    return sorted(words, key=lambda word: (not words[word].fault, -words[word].subwords, word))[:MOST_SHOWN]


def _models(spelled: Iterable[str]) -> dict[str, list[str]]:
    """Return the models of each tokenizer, according to checks and requests."""
    found: dict[str, set[str]] = {digest: set() for digest in spelled}
    for question in (ModelCheck, SpellingRequest):
        answered = question._default_manager.filter(tokenizer_digest__in=list(found)).order_by()
        for digest, reference in answered.values_list("tokenizer_digest", "model__reference").distinct():
            found[digest].add(reference)
    return {digest: sorted(references) for digest, references in found.items()}


def _pieces(spelled: Mapping[str, Spelled]) -> dict[tuple[str, str], list[str]]:
    """Return the subwords of the shown words by tokenizer and word."""
    words = {word for own in spelled.values() for word in _most_split(own)}
    rows = Spelling.objects.filter(word__in=words, tokenizer_digest__in=list(spelled))
    return {(digest, word): pieces for digest, word, pieces in rows.values_list("tokenizer_digest", "word", "pieces")}


def _rows(words: Spelled, part_of: Mapping[str, str], intervals: Mapping[str, Any]) -> list[Row]:
    amid, at_start = words.by_part(part_of, 0), words.by_part(part_of, 1)
    faults = Counter(part_of[word] for word, pieces in words.items() if pieces.fault)
    return [
        Row(
            part,
            _part(part, amid[part], intervals.get(part)) if part in amid else None,
            sum(at_start[part]) / len(at_start[part]) if part in at_start else None,
            faults[part],
        )
        for part in sorted({*amid, *faults})
    ]


def _part(name: str, subwords: list[int], interval: list[float] | None) -> Part:
    low, high = interval or (None, None)
    return Part(name, len(subwords), sum(subwords) / len(subwords), subwords.count(1), low, high)
