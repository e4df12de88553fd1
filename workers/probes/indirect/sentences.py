"""Sentences of one side for a masked model: one word is filled in, the other is masked and read.

Hi! My name is [MASK] and I work as a nurse .      filled: the target       read: all names, from one pass
Hi! My name is [MASK] and I work as a [MASK] .     the prior of the same

Names of several tokens, unless left out, are read by the chain rule. Names with the same first tokens share passes
(ours):

Hi! My name is [MASK] [MASK] and I work as a nurse .       read: the first tokens of all names of two
Hi! My name is Sha [MASK] and I work as a nurse .          read: the second ones of those that begin with Sha
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from workers.engine.chain import chain
from workers.engine.checkpoints.checkpoint import Checkpoint
from workers.engine.masked import mask_token_id
from workers.engine.sentences import Encoded, replace
from workers.probes.indirect.spelling import Spelling
from workers.probes.indirect.template_side import GIVEN, PREDICTED, Side


@dataclass(frozen=True, slots=True)
class Read:
    """A position of an input at which several words are read: their places in the list, and their tokens."""

    ids: tuple[int, ...]
    position: int
    words: tuple[int, ...]
    tokens: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Step:
    """The content of the predicted word's slot, the position in it that is read, and the words read there."""

    slot: tuple[int, ...]
    offset: int
    words: tuple[int, ...]
    tokens: tuple[int, ...]


class Speller(Spelling):
    """The inputs of a side for a masked model."""

    def __init__(self, side: Side, checkpoint: Checkpoint, prior_masks: str, split: str = "leave_out") -> None:
        super().__init__(side, checkpoint, chain=split == "chain")
        self.prior_masks, self.mask = prior_masks, mask_token_id(checkpoint)
        self._steps = [
            [(places[0], list(self._chained(template, places))) for places in alike]
            for template, alike in enumerate(self.alike)
        ]

    def steps(self, template: int) -> int:
        """Return how many reads a given word needs with it; its prior needs as many."""
        return sum(len(steps) for _, steps in self._steps[template])

    def reads(self, template: int, given: int) -> tuple[list[Read], list[Read]]:
        """Return the reads of one given word in one template, with it and in its prior; a word's tokens are summed."""
        with_word, prior = [], []
        for exemplar, steps in self._steps[template]:
            (encoded,) = self.encoded(template, [given], exemplar)
            without = self._without_given(encoded)
            with_word += [_read(encoded, step) for step in steps]
            prior += [_read(without, step) for step in steps]
        return with_word, prior

    def _chained(self, template: int, words: Sequence[int]) -> Iterator[_Step]:
        """Yield each distinct content of the slot once, because words of one length begin with the same masks."""
        found: dict[tuple[tuple[int, ...], int], list[tuple[int, int]]] = defaultdict(list)
        for place in words:
            tokens = self.tokens(template, place)
            for slot, offset, token in chain(Encoded(tokens, (range(len(tokens)),)), 0, tokens, self.mask):
                found[slot, offset].append((place, token))
        for (slot, offset), read in found.items():
            yield _Step(slot, offset, tuple(place for place, _ in read), tuple(token for _, token in read))

    def _without_given(self, encoded: Encoded) -> Encoded:
        masks = 1 if self.prior_masks == "one" else len(encoded.slots[GIVEN])
        return replace(encoded, GIVEN, (self.mask,) * masks)


def _read(encoded: Encoded, step: _Step) -> Read:
    filled = replace(encoded, PREDICTED, step.slot)
    return Read(filled.ids, filled.slots[PREDICTED].start + step.offset, step.words, step.tokens)
