"""What may lie behind differences between the words of a list: how tokenizers split them, how frequent they are."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from heapq import nlargest
from typing import NamedTuple

from django.db.models import Max, QuerySet

from plumbline.audits.models import ModelCheck, Spelling, SpellingRequest
from plumbline.review.frequency import Frequencies
from plumbline.review.splitting import (
    FEWEST,
    SIGNIFICANT_Q,
    Correlation,
    Difference,
    Part,
    compare,
    correlate,
    describe,
    q_values,
)

MOST_TOKENIZERS = 10
"""The page reads every word for each of them."""
MOST_SHOWN = 50
"""Words that are written out with their pieces, for each tokenizer."""


class Split(NamedTuple):
    """A word in pieces; `fault` says why it cannot be scored."""

    word: str
    part: str
    pieces: list[str]
    fault: str


class Row(NamedTuple):
    """A part of the list: `amid` a sentence, the mean subwords where the word begins it, and what cannot be spelled."""

    name: str
    amid: Part | None
    at_start: float | None
    faults: int


@dataclass(frozen=True, slots=True)
class Confounds:
    """One tokenizer on the words of a list. Without a difference there was nothing to test."""

    tokenizer_digest: str
    models: list[str]
    rows: list[Row]
    spelled: int
    difference: Difference | None
    q_value: float | None
    most_split: list[Split]
    by_frequency: Correlation | None
    """Of the frequency of each spelled word whose frequency is known with its subwords."""
    by_frequency_q: float | None

    @property
    def extremes(self) -> tuple[Part, Part] | None:
        """The parts of most and of fewest pieces, where the test shows that parts differ."""
        if self.q_value is None or self.q_value >= SIGNIFICANT_Q:
            return None
        tested = [row.amid for row in self.rows if row.amid and row.amid.n >= FEWEST]
        return max(tested, key=lambda part: part.mean), min(tested, key=lambda part: part.mean)

    @property
    def related(self) -> bool:
        """Whether frequency and splitting were shown to go together."""
        return self.by_frequency_q is not None and self.by_frequency_q < SIGNIFICANT_Q


class Panel(NamedTuple):
    """What the page of a list tells."""

    frequencies: Frequencies | None
    tokenizers: list[Confounds]


class _Count(NamedTuple):
    subwords: int
    at_start: int
    fault: str


class _Spelled(dict[str, _Count]):
    """What one tokenizer makes of words."""

    def by_part(self, part_of: Mapping[str, str], column: int) -> dict[str, list[int]]:
        """The figures of one column, without the words that cannot be spelled."""
        found: dict[str, list[int]] = defaultdict(list)
        for word, count in self.items():
            if not count.fault:
                found[part_of[word]].append(int(count[column]))
        return found

    def correlation(self, frequency_of: Mapping[str, float]) -> Correlation | None:
        """Of frequency with subwords, over the words that have both."""
        both = [word for word, count in self.items() if not count.fault and word in frequency_of]
        return correlate([frequency_of[word] for word in both], [self[word].subwords for word in both])

    def most_split(self) -> list[str]:
        """Those with a fault first."""
        return sorted(self, key=lambda word: (not self[word].fault, -self[word].subwords, word))[:MOST_SHOWN]


def confounds_of(part_of: Mapping[str, str], frequencies: Frequencies | None = None) -> Panel:
    """For each of the latest tokenizers that have spelled some of these words. Six queries.

    There are two families of q: whether parts differ, in frequency and with each tokenizer; and whether frequency goes
    with splitting, with each tokenizer.
    """
    spelled = _spelled(part_of)
    models = _models(spelled)
    pieces = _pieces(spelled)
    tests = {digest: compare(words.by_part(part_of, 0)) for digest, words in spelled.items()}
    q = _family({**tests, "": frequencies.difference if frequencies else None})
    by_frequency = {
        digest: words.correlation(frequencies.of) if frequencies else None for digest, words in spelled.items()
    }
    by_frequency_q = _family(by_frequency)
    found = [
        Confounds(
            digest,
            models[digest],
            _rows(words, part_of),
            len(words),
            tests[digest],
            q.get(digest),
            [Split(word, part_of[word], pieces[digest, word], words[word].fault) for word in words.most_split()],
            by_frequency[digest],
            by_frequency_q.get(digest),
        )
        for digest, words in spelled.items()
    ]
    return Panel(
        replace(frequencies, q_value=q.get("")) if frequencies else None,
        sorted(found, key=lambda one: (one.models, one.tokenizer_digest)),
    )


def _family(tests: Mapping[str, Difference | Correlation | None]) -> dict[str, float]:
    """q by key, of those that could be tested."""
    tested = {key: test.p_value for key, test in tests.items() if test}
    return dict(zip(tested, q_values(list(tested.values())), strict=True))


def _spelled(part_of: Mapping[str, str]) -> dict[str, _Spelled]:
    """By tokenizer."""
    found: dict[str, _Spelled] = defaultdict(_Spelled)
    columns = ("tokenizer_digest", "word", "subwords", "subwords_at_start", "fault")
    spellings = Spelling.objects.filter(word__in=list(part_of))
    shown = spellings.filter(tokenizer_digest__in=_latest(spellings))
    for digest, word, *counts in shown.values_list(*columns):
        found[digest][word] = _Count(*counts)
    return found


def _latest(spellings: QuerySet[Spelling]) -> list[str]:
    """The tokenizers that were asked last: who asks again for known words shall see the answer."""
    newest = dict(spellings.order_by().values_list("tokenizer_digest").annotate(Max("pk")))
    requests = SpellingRequest.objects.filter(tokenizer_digest__in=list(newest)).order_by()
    asked = dict(requests.values_list("tokenizer_digest").annotate(Max("pk")))
    return nlargest(MOST_TOKENIZERS, newest, key=lambda digest: (asked.get(digest, 0), newest[digest]))


def _models(spelled: Mapping[str, _Spelled]) -> dict[str, list[str]]:
    """By tokenizer: the models that were found to have it."""
    found: dict[str, set[str]] = {digest: set() for digest in spelled}
    for question in (ModelCheck, SpellingRequest):
        answered = question._default_manager.filter(tokenizer_digest__in=list(spelled)).order_by()
        for digest, reference in answered.values_list("tokenizer_digest", "model__reference").distinct():
            found[digest].add(reference)
    return {digest: sorted(references) for digest, references in found.items()}


def _pieces(spelled: Mapping[str, _Spelled]) -> dict[tuple[str, str], list[str]]:
    """By tokenizer and word: of the words that are written out."""
    words = {word for own in spelled.values() for word in own.most_split()}
    rows = Spelling.objects.filter(word__in=words, tokenizer_digest__in=list(spelled))
    return {(digest, word): pieces for digest, word, pieces in rows.values_list("tokenizer_digest", "word", "pieces")}


def _rows(words: _Spelled, part_of: Mapping[str, str]) -> list[Row]:
    amid, at_start = words.by_part(part_of, 0), words.by_part(part_of, 1)
    faults = Counter(part_of[word] for word, count in words.items() if count.fault)
    return [
        Row(
            part,
            describe(part, amid[part]) if part in amid else None,
            sum(at_start[part]) / len(at_start[part]) if part in at_start else None,
            faults[part],
        )
        for part in sorted({*amid, *faults})
    ]
