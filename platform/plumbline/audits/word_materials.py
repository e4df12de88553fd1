"""Known properties of a list's words: their groups, frequencies and subwords."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from heapq import nlargest
from typing import NamedTuple

from django.db.models import Max, QuerySet

from plumbline.audits.models import Spelling, SpellingRequest
from plumbline.audits.words import parts_of
from plumbline.spec.digests import digest
from plumbline.spec.errors import InputError
from plumbline.vocab.models import Name

MOST_TOKENIZERS = 10
"""The most tokenizers for which every word is read."""


class Pieces(NamedTuple):
    """The number of tokens of a word within a sentence and as its first word. `fault` says why it cannot be scored."""

    subwords: int
    at_start: int
    fault: str


class Spelled(dict[str, Pieces]):
    """The subwords of words by one tokenizer."""

    def by_part(self, part_of: Mapping[str, str], column: int) -> dict[str, list[int]]:
        """Return one column of Pieces by group, without the words that cannot be split."""
        found: dict[str, list[int]] = defaultdict(list)
        for word, pieces in self.items():
            if not pieces.fault:
                found[part_of[word]].append(int(pieces[column]))
        return found


@dataclass(frozen=True)
class WordMaterial:
    """The words of a list: the group of each, known frequencies, and subwords by tokenizer digest."""

    part_of: Mapping[str, str]
    frequency_of: Mapping[str, float] = field(default_factory=dict)
    spelled: Mapping[str, Spelled] = field(default_factory=dict)

    @cached_property
    def key(self) -> str:
        """The digest of all inputs of the tests."""
        return digest([self.part_of, self.frequency_of, self.spelled])


def word_material(kind: str, slug: str) -> WordMaterial:
    """Return the current words of a list for the latest tokenizers, or no words for an empty list. Six queries."""
    try:
        part_of = parts_of(kind, slug)
    except InputError:
        return WordMaterial({})
    return WordMaterial(part_of, frequencies(slug, part_of) if kind == "names" else {}, spellings(part_of))


def frequencies(slug: str, part_of: Mapping[str, str]) -> dict[str, float]:
    """Return the known frequencies by name."""
    known = Name.objects.filter(word_list__slug=slug, frequency__isnull=False).values_list("name", "frequency")
    # A name may have been added since the groups were read.
    return {name: frequency for name, frequency in known if frequency is not None and name in part_of}


def spellings(part_of: Mapping[str, str]) -> dict[str, Spelled]:
    """Return the subwords of these words by tokenizer digest, for the latest tokenizers."""
    found: dict[str, Spelled] = defaultdict(Spelled)
    columns = ("tokenizer_digest", "word", "subwords", "subwords_at_start", "fault")
    rows = Spelling.objects.filter(word__in=list(part_of))
    for tokenizer, word, *pieces in rows.filter(tokenizer_digest__in=_latest(rows)).values_list(*columns):
        found[tokenizer][word] = Pieces(*pieces)
    return dict(found)


def _latest(rows: QuerySet[Spelling]) -> list[str]:
    """Return the tokenizers of the latest requests, so that a repeated request for known words shows its answer."""
    newest = dict(rows.order_by().values_list("tokenizer_digest").annotate(Max("pk")))
    requests = SpellingRequest.objects.filter(tokenizer_digest__in=list(newest)).order_by()
    asked = dict(requests.values_list("tokenizer_digest").annotate(Max("pk")))
    return nlargest(MOST_TOKENIZERS, newest, key=lambda tokenizer: (asked.get(tokenizer, 0), newest[tokenizer]))
