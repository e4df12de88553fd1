"""A pool of distractors for all names of a context, so that all names get the same questions (METHODS 7, ours)."""

import re
from collections.abc import Iterable, Sequence

from plumbline.spec.banks.contexts import SLOT, Context, filled
from workers.probes.sodapop.pairing import shuffled


def pool_of(
    context: Context, generated: Iterable[tuple[str, str]], seed: int, most: int | None = None
) -> tuple[str, ...]:
    """Return the union of the distractors of all names, in the order in which they are paired for every name.

    `generated` holds pairs of name and distractor. If the right answer contains the name, the name in a distractor
    becomes the slot. Right answers of other names are left out. Of more than `most`, a sample by the seed is taken.
    """
    texts = {without_name(context, text, name) for name, text in generated} - {context.answer}
    known = sorted(texts)
    return tuple(known[index] for index in shuffled(known, seed, context.id, "")[:most])


def without_name(context: Context, text: str, name: str) -> str:
    """Return the text with the slot in place of the name as a word, if the right answer has a slot too."""
    if SLOT not in context.answer:
        return text
    return re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", lambda _: SLOT, text)


def for_name(pool: Sequence[str], name: str) -> list[str]:
    return [filled(text, name) for text in pool]
