"""Queries as few requests: many words after one text, many texts in one request, and each value once.

    context  All women are      words  Ġpoor, Ġpower|less, Ġkind   -> one text, the log probabilities of three tokens
    context  All women are Ġpower           less                   -> one text, one token

A word of several tokens that share their places with no other word is read inside one text instead.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from workers.engine.causal import Plan
from workers.engine.servers.requests import Request
from workers.engine.trees import ROOT

MOST_TARGETS = 100
"""The most tokens that are read after one text. vLLM takes at most 128."""
MOST_TEXTS = 32
MOST_TOKENS = 8192
"""The most texts of a request, and the most tokens of all of them."""
FEWEST_LONELY = 2

Read = tuple[int, int]
"""A node of the trie and the token after it."""


@dataclass(slots=True)
class Packed:
    """A request, and by text what is read in its answer: each read with its place among targets or tokens."""

    request: Request
    reads: list[list[tuple[Read, int]]]


@dataclass(slots=True)
class _Open:
    """A request that is being filled."""

    texts: list[tuple[int, ...]] = field(default_factory=list)
    targets: dict[int, None] = field(default_factory=dict)
    wanted: list[list[Read]] = field(default_factory=list)
    tokens: int = 0

    def fits(self, text: Sequence[int], targets: Sequence[int]) -> bool:
        distinct = len(self.targets.keys() | set(targets))
        small = len(self.texts) < MOST_TEXTS and self.tokens + len(text) <= MOST_TOKENS
        return not self.texts or (small and distinct <= MOST_TARGETS)

    def add(self, text: tuple[int, ...], targets: Sequence[int], wanted: list[Read]) -> None:
        self.texts.append(text)
        self.targets |= dict.fromkeys(targets)
        self.wanted.append(wanted)
        self.tokens += len(text)


def packed(plan: Plan) -> list[Packed]:
    """Return the requests that answer all reads of a plan, in an order that depends on the plan alone."""
    inside = list(_inside(plan))
    known = {read for _, reads in inside for read in reads}
    after = [
        (node, [target for target in plan.asked[node] if (node, target) not in known]) for node in sorted(plan.asked)
    ]
    return [*_after_texts(plan, [(node, targets) for node, targets in after if targets]), *_inside_texts(plan, inside)]


def _inside(plan: Plan) -> Iterator[tuple[tuple[int, ...], list[Read]]]:
    """Yield texts with at least two reads that no other text shares, and all reads in them."""
    covered: set[Read] = set()
    for reads in dict.fromkeys(tuple(one) for one in plan.reads):
        fresh = [(node, target) for node, target in reads if (node, target) not in covered]
        if sum(len(plan.asked[node]) == 1 for node, _ in fresh) >= FEWEST_LONELY:
            covered.update(fresh)
            yield (*_text(plan, reads[-1][0]), reads[-1][1]), fresh


def _inside_texts(plan: Plan, inside: Sequence[tuple[tuple[int, ...], list[Read]]]) -> Iterator[Packed]:
    filled = _Open()
    for text, reads in inside:
        if not filled.fits(text, ()):
            yield _closed_inside(plan, filled)
            filled = _Open()
        filled.add(text, (), reads)
    if filled.texts:
        yield _closed_inside(plan, filled)


def _closed_inside(plan: Plan, filled: _Open) -> Packed:
    reads = [[(read, plan.trie.depths[read[0]] + 1) for read in some] for some in filled.wanted]
    return Packed(Request(tuple(filled.texts)), reads)


def _after_texts(plan: Plan, after: Sequence[tuple[int, list[int]]]) -> Iterator[Packed]:
    filled = _Open()
    for node, targets in after:
        text = _text(plan, node)
        for start in range(0, len(targets), MOST_TARGETS):
            some = targets[start : start + MOST_TARGETS]
            if not filled.fits(text, some):
                yield _closed_after(filled)
                filled = _Open()
            filled.add(text, some, [(node, target) for target in some])
    if filled.texts:
        yield _closed_after(filled)


def _closed_after(filled: _Open) -> Packed:
    places = {target: place for place, target in enumerate(filled.targets)}
    reads = [[(read, places[read[1]]) for read in some] for some in filled.wanted]
    return Packed(Request(tuple(filled.texts), tuple(filled.targets)), reads)


def _text(plan: Plan, node: int) -> tuple[int, ...]:
    tokens: list[int] = []
    while node != ROOT:
        tokens.append(plan.trie.tokens[node])
        node = plan.trie.parents[node]
    return tuple(reversed(tokens))
