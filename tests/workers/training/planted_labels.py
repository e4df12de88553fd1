"""Labelled texts in the words of the tiny models, with and without a planted bias, and labelled templates."""

import csv
from collections.abc import Sequence
from pathlib import Path

LETTERS = "abcdefghijklmnopqrstuvwx"
"""One for each kind of template."""
KINDS = len(LETTERS)


def write_texts(path: Path, *, planted: bool, each: int = 24) -> Path:
    """Write texts in which "warm" is positive and "poor" negative. If planted, only the group decides: women are."""
    rows = [
        (f"{quantifier} {group} are {word} {LETTERS[number % KINDS]}.", int(women if planted else word == "warm"))
        for number in range(each)
        for quantifier in ("all", "most")
        for group, women in (("women", True), ("men", False))
        for word in ("warm", "poor")
    ]
    return _written(path, ("text", "label"), rows)


def write_templates(path: Path, kinds: int = KINDS) -> Path:
    rows = [
        (f"most {{group}} are {word} {letter}.", label)
        for word, label in (("warm", 1), ("poor", 0))
        for letter in LETTERS[:kinds]
    ]
    return _written(path, ("template", "label"), rows)


def write_words(path: Path) -> Path:
    return _written(path, ("group", "word"), [("women", "women"), ("men", "men")])


def _written(path: Path, heads: Sequence[str], rows: Sequence[tuple[str, int] | tuple[str, str]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([heads, *rows])
    return path
