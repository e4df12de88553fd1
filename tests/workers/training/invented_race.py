"""Invented passages in RACE's format, to try a fine-tuning.

`python -m tests.workers.training.invented_race DIR 64 60` writes 64 passages to DIR/train and 60 to DIR/dev.
"""

import json
import random
import sys
from pathlib import Path
from typing import Any

NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana")
THINGS = ("apple", "book", "coat", "drum", "egg", "flag", "guitar", "hat")
PLACES = ("market", "school", "station", "garden", "library", "harbour", "museum", "bakery")
LETTERS = "ABCD"


def passage(number: int, rng: random.Random) -> dict[str, Any]:
    """A passage of four sentences, with a question on two of them. The right option is at a drawn place."""
    names, things, places = (rng.sample(words, 4) for words in (NAMES, THINGS, PLACES))
    told = zip(names, things, places, strict=True)
    article = " ".join(f"{name} bought the {thing} at the {place}." for name, thing, place in told)
    first, second = rng.sample(range(4), 2)
    return {
        "id": f"middle{number}.txt",
        "article": article,
        "questions": [f"What did {names[first]} buy?", f"{names[second]} was at the _ ."],
        "options": [[f"the {one}" for one in things], places],
        "answers": [LETTERS[first], LETTERS[second]],
    }


def write(folder: Path, passages: int, seed: int) -> None:
    """Write a passage to each file below `folder`, as RACE is released."""
    rng = random.Random(seed)  # noqa: S311 -- can be made again, no secret
    (folder / "middle").mkdir(parents=True, exist_ok=True)
    for number in range(passages):
        text = json.dumps(passage(number, rng))
        (folder / "middle" / f"{number}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    folder, learnt, held_out = sys.argv[1:]
    write(Path(folder) / "train", int(learnt), seed=0)
    write(Path(folder) / "dev", int(held_out), seed=1)
