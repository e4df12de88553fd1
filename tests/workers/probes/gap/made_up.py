"""Passages like those of GAP, made up."""

import random
from typing import Any

WORDS = ["river", "stone", "cloud", "bread", "music", "paint", "horse", "field", "ghost", "ᚠᚢᚦ"]


def passage(number: int, **changed: Any) -> dict[str, Any]:
    drawn = random.Random(number)  # noqa: S311 -- a sample
    pronoun = ("she", "he")[number % 2]
    text = f"Ann met Eve by the {' '.join(drawn.choices(WORDS, k=5))} when {pronoun} left."
    gold = number // 2 % 3
    found = {"id": f"p{number}", "text": text, "pronoun": pronoun, "pronoun_offset": text.index(f" {pronoun} ") + 1}
    found |= {"a": "Ann", "a_offset": 0, "a_coref": gold == 0, "b": "Eve", "b_offset": 8, "b_coref": gold == 1}
    return found | changed
