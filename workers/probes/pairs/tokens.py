"""The tokens that two sentences share, and the reasons why a pair cannot be scored."""

from difflib import SequenceMatcher

from workers.engine.text_tokens import Tokens

ALIKE = "the model spells both sentences with the same tokens"


def fault_of(first: Tokens, second: Tokens) -> str:
    """Return why the pair cannot be scored; empty if it can."""
    return first.fault or second.fault or (ALIKE if first.ids == second.ids else "")


def shared(first: Tokens, second: Tokens) -> tuple[list[int], list[int]]:
    """Return the places of the shared tokens in each sentence, without special tokens.

    They are the longest common blocks that difflib finds. Source: Nangia et al. 2020, metric.py, get_span.
    """
    matcher = SequenceMatcher(None, first.ids, second.ids)
    places = [
        (block.a + step, block.b + step)
        for block in matcher.get_matching_blocks()
        for step in range(block.size)
        if block.a + step in first.own and block.b + step in second.own
    ]
    return [one for one, _ in places], [other for _, other in places]
