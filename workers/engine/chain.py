"""The chain rule for a word of several tokens in a masked place: as many masks as tokens, filled from the left."""

from collections.abc import Iterator, Sequence

from workers.engine.sentences import Encoded

Step = tuple[tuple[int, ...], int, int]
"""The input, the position that is read, and its target token."""


def chain(encoded: Encoded, slot: int, word: Sequence[int], mask: int) -> Iterator[Step]:
    """Yield the steps whose log probabilities sum to that of `word` in the slot, given its number of tokens.

    Words of equal length with the same first tokens share inputs; all words of a length share the first one.
    """
    start, stop = encoded.slots[slot].start, encoded.slots[slot].stop
    for done, token in enumerate(word):
        masks = (mask,) * (len(word) - done)
        yield (*encoded.ids[:start], *word[:done], *masks, *encoded.ids[stop:]), start + done, token
