"""One pool of distractors for all names of a context, so that all are asked the same questions (METHODS 7, ours)."""

import re
from collections.abc import Iterable, Sequence

from plumbline.spec.contexts import SLOT, Context, filled
from workers.probes.sodapop.pairing import shuffled


def pool_of(
    context: Context, generated: Iterable[tuple[str, str]], seed: int, most: int | None = None
) -> tuple[str, ...]:
    """The union of the distractors of all names, in the order in which they are paired for every name.

    `generated` are pairs of name and distractor. Where the right answer holds the name, so may a distractor: it then
    has the slot in its place. What is the right answer of other people is left out. With more than `most`, so many are
    drawn by the seed.
    """
    texts = {without_name(context, text, name) for name, text in generated} - {context.answer}
    known = sorted(texts)
    return tuple(known[index] for index in shuffled(known, seed, context.id, "")[:most])


def without_name(context: Context, text: str, name: str) -> str:
    """The text with the slot where the name stands as a word, if the right answer has one too."""
    if SLOT not in context.answer:
        return text
    return re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", lambda _: SLOT, text)


def for_name(pool: Sequence[str], name: str) -> list[str]:
    return [filled(text, name) for text in pool]
