"""A word of several tokens in a masked place, by the chain rule: as many masks as tokens, filled in from the left."""

from collections.abc import Iterator, Sequence

from workers.engine.sentences import Encoded

Step = tuple[tuple[int, ...], int, int]
"""The input, the position that is read in it, and the token that stands there."""


def chain(encoded: Encoded, slot: int, word: Sequence[int], mask: int) -> Iterator[Step]:
    """The steps whose log probabilities, summed, are that of `word` in the slot, given its number of tokens.

    Words that begin alike and are equally long share their inputs, the first one with all words of that length.
    """
    start, stop = encoded.slots[slot].start, encoded.slots[slot].stop
    for done, token in enumerate(word):
        masks = (mask,) * (len(word) - done)
        yield (*encoded.ids[:start], *word[:done], *masks, *encoded.ids[stop:]), start + done, token
