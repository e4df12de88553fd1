"""Passages like those of GAP, of invented people."""

import random
import tempfile
from pathlib import Path

from plumbline.methods.gap.bank_files import COLUMNS

PASSAGES = 40
THINGS = ["river", "stone", "cloud", "bread", "music", "paint", "horse", "field"]


def write_passages() -> Path:
    """A file of them, in GAP's columns."""
    path = Path(tempfile.mkdtemp()) / "passages.tsv"
    lines = ["\t".join(COLUMNS), *(_line(number) for number in range(PASSAGES))]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def _line(number: int) -> str:
    drawn = random.Random(number)  # noqa: S311 -- a sample
    pronoun = ("she", "he")[number % 2]
    text = f"Ann met Eve by the {' '.join(drawn.sample(THINGS, 3))} when {pronoun} left."
    place, gold = str(text.index(f" {pronoun} ") + 1), number // 2 % 3
    truths = [str(gold == which).upper() for which in (0, 1)]
    return "\t".join([f"ours-{number}", text, pronoun, place, "Ann", "0", truths[0], "Eve", "8", truths[1], ""])
