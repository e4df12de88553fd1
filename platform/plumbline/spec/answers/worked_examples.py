"""Worked examples before a question of a chat: the order of their options, and what a shard keeps of them."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from plumbline.spec.answers.chat_question import LETTERS, WorkedExample

ITEMS = "examples"
"""The key of the worked examples in the items of a shard."""
OPTIONS = len(LETTERS)


def order_by_chance(right: int, place: int, random: Random) -> tuple[int, ...]:
    """Return the options by chance, with the right one at this place."""
    others = [one for one in range(OPTIONS) if one != right]
    random.shuffle(others)
    return (*others[:place], right, *others[place:])


def worked_items(examples: Sequence[WorkedExample]) -> dict[str, Any]:
    """Return the part of a shard's items that keeps what is sent. Without examples there is none."""
    return {ITEMS: [list(one) for one in examples]} if examples else {}


def worked_in(items: Mapping[str, Any]) -> list[WorkedExample]:
    """Return the worked examples that a shard keeps."""
    return [WorkedExample(*one) for one in items.get(ITEMS, ())]
