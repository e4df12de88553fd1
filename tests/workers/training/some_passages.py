"""Passages in the forms of RACE, made up for the tests."""

import json
from pathlib import Path
from typing import Any

WORDS = ("warm", "women", "poor", "men")


def passage(number: int) -> dict[str, Any]:
    """With two questions; the right answer is always the same word, in another place each time."""
    places = [number % 4, (number + 1) % 4]
    return {
        "id": f"high{number}.txt",
        "article": f"Ada met Bo. {number} were warm.",
        "questions": ["Who?", "What is _ ?"],
        "options": [list(WORDS[4 - place :] + WORDS[: 4 - place]) for place in places],
        "answers": ["ABCD"[place] for place in places],
    }


def single(number: int) -> dict[str, Any]:
    """A passage's first question alone, as a line of .jsonl may have it."""
    whole = passage(number)
    first = {one: whole[f"{one}s"][0] for one in ("question", "answer")}
    return {"article": whole["article"], "options": whole["options"][0], **first}


def released(folder: Path, count: int) -> Path:
    """A folder as RACE was released: a passage in each file."""
    for number in range(count):
        path = folder / ("high" if number % 2 else "middle") / f"{number}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(passage(number)), encoding="utf-8")
    return folder
