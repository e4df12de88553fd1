"""What is known of the words of a list: their groups, their frequencies, and how tokenizers split them."""

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
"""Every word is read for each of them."""


class Pieces(NamedTuple):
    """Into how many tokens a word is split amid a sentence and as its first word; `fault`: why it cannot be scored."""

    subwords: int
    at_start: int
    fault: str


class Spelled(dict[str, Pieces]):
    """What one tokenizer makes of words."""

    def by_part(self, part_of: Mapping[str, str], column: int) -> dict[str, list[int]]:
        """The figures of one column of Pieces by group, without the words that cannot be spelled."""
        found: dict[str, list[int]] = defaultdict(list)
        for word, pieces in self.items():
            if not pieces.fault:
                found[part_of[word]].append(int(pieces[column]))
        return found


@dataclass(frozen=True)
class WordMaterial:
    """The words of a list, each with its group; frequencies where known; pieces by tokenizer digest."""

    part_of: Mapping[str, str]
    frequency_of: Mapping[str, float] = field(default_factory=dict)
    spelled: Mapping[str, Spelled] = field(default_factory=dict)

    @cached_property
    def key(self) -> str:
        """The digest of all that the tests rest on."""
        return digest([self.part_of, self.frequency_of, self.spelled])


def word_material(kind: str, slug: str) -> WordMaterial:
    """Of a list as it reads now, for the tokenizers that were asked last; empty for an empty list. Six queries."""
    try:
        part_of = parts_of(kind, slug)
    except InputError:
        return WordMaterial({})
    return WordMaterial(part_of, frequencies(slug, part_of) if kind == "names" else {}, spellings(part_of))


def frequencies(slug: str, part_of: Mapping[str, str]) -> dict[str, float]:
    """By name of the list, where known."""
    known = Name.objects.filter(word_list__slug=slug, frequency__isnull=False).values_list("name", "frequency")
    # A name may have come since the groups were read.
    return {name: frequency for name, frequency in known if frequency is not None and name in part_of}


def spellings(part_of: Mapping[str, str]) -> dict[str, Spelled]:
    """By digest of each of the latest tokenizers that have spelled some of these words."""
    found: dict[str, Spelled] = defaultdict(Spelled)
    columns = ("tokenizer_digest", "word", "subwords", "subwords_at_start", "fault")
    rows = Spelling.objects.filter(word__in=list(part_of))
    for tokenizer, word, *pieces in rows.filter(tokenizer_digest__in=_latest(rows)).values_list(*columns):
        found[tokenizer][word] = Pieces(*pieces)
    return dict(found)


def _latest(rows: QuerySet[Spelling]) -> list[str]:
    """The tokenizers that were asked last: who asks again for known words shall see the answer."""
    newest = dict(rows.order_by().values_list("tokenizer_digest").annotate(Max("pk")))
    requests = SpellingRequest.objects.filter(tokenizer_digest__in=list(newest)).order_by()
    asked = dict(requests.values_list("tokenizer_digest").annotate(Max("pk")))
    return nlargest(MOST_TOKENIZERS, newest, key=lambda tokenizer: (asked.get(tokenizer, 0), newest[tokenizer]))
