"""Shards of a side: by words, so that an edited word changes few of them.

On a masked model a shard has some given words, with all predicted words, which come from one pass of their sentences.
On a causal model it has some predicted words and some templates with all given words, over which their prior is the
mean.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any

from plumbline.methods.indirect.materials import TARGET_FEATURE, kind_of
from plumbline.spec.grammar import Word
from workers.probes.indirect.template_side import Side
from workers.probes.protocol import ShardPlan

WORDS_PER_SHARD, CONTINUED_PER_SHARD, ROWS_PER_SHARD = 16, 32, 200_000
"""CONTINUED_PER_SHARD is for causal models. With fewer words, rereading the text before them would dominate."""


def shards(side: Side, given: int | None = None) -> Iterator[ShardPlan]:
    """Yield the shards; `items` are those of `part_of`, `given` is the number of given words on a masked model."""
    yield from _by_predicted(side) if side.causal else _by_given(side, given or WORDS_PER_SHARD)


def part_of(side: Side, items: Any) -> tuple[Side, list[int]]:
    """Return a shard's part of a side: the predicted part, and the places of the given words."""
    if side.causal:
        return side.part(items["templates"], items["words"]), list(range(len(side.given)))
    place = {word.label: number for number, word in enumerate(side.given)}
    return side, [place[word] for word in items["words"]]


def _by_given(side: Side, most: int) -> Iterator[ShardPlan]:
    each = max(1, min(most, ROWS_PER_SHARD // max(side.rows, 1)))
    for given in _buckets(side.given, each) if side.rows else ():
        items = {"side": side.name, "words": [word.label for word in given]}
        yield ShardPlan(items, {_table(side): len(given) * side.rows}, _inputs(side, given))


def _by_predicted(side: Side) -> Iterator[ShardPlan]:
    for words in _buckets(side.predicted, CONTINUED_PER_SHARD):
        labels = [word.label for word in words]
        each = max(1, ROWS_PER_SHARD // (len(words) * len(side.given)))
        for start in range(0, len(side.templates), each):
            texts = side.templates[start : start + each]
            part = side.part(texts, labels)
            items = {"side": side.name, "templates": list(texts), "words": labels}
            if part.rows:
                yield ShardPlan(items, {_table(side): len(side.given) * part.rows}, _inputs(part, side.given))


def _buckets(words: Sequence[Word], each: int) -> Iterator[list[Word]]:
    """Yield words by hash, so that adding or removing one moves no other."""
    found: dict[int, list[Word]] = defaultdict(list)
    count = -(-len(words) // each)
    for word in words:
        found[int(sha256(word.label.encode()).hexdigest(), 16) % count].append(word)
    yield from (some for _, some in sorted(found.items()))


def _table(side: Side) -> str:
    return "association" if kind_of(side.name) == TARGET_FEATURE else "bridge"


def _inputs(side: Side, given: Sequence[Word]) -> dict[str, Any]:
    """Return all texts that decide the records: each given word with the first predicted one, and the reverse."""
    first, exemplar, texts = given[0], side.predicted[0], side.templates
    return {
        "side": side.name,
        "templates": texts,
        "given": [[word.label, *(side.rendered(text, word, exemplar).text for text in texts)] for word in given],
        "predicted": [
            [word.label, *(side.rendered(text, first, word).text for text in texts)] for word in side.predicted
        ],
        "already": sorted(side.already),
    }
