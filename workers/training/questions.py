"""Questions with three answers, as Social IQa writes them: a file of the user's, split by context."""

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plumbline.spec.errors import InputError
from workers.engine.multiple_choice import EncodedPair, Pair, encode_pairs

LETTERS = "ABC"
_WORD = re.compile(r"\w+(?:[-'’]\w{2,})*")
_TEXTS = ("context", "question", *(f"answer{letter}" for letter in LETTERS))


@dataclass(frozen=True)
class Question:
    line: int
    """Of its file, from 1."""
    context: str
    question: str
    answers: tuple[str, ...]
    gold: int
    """Which answer is right, from 0."""

    @property
    def pairs(self) -> list[Pair]:
        """Context and question, concatenated with each choice (An et al. 2023, section 4)."""
        return [(f"{self.context} {self.question}", answer) for answer in self.answers]


def capitalised(questions: Iterable[Question]) -> list[str]:
    """The words with a capital letter in their texts, sorted: the names among them, and much else."""
    texts = (text for one in questions for text in (one.context, one.question, *one.answers))
    return sorted({word for text in texts for word in _WORD.findall(text) if word[0].isupper()})


def read_questions(path: Path) -> list[Question]:
    """Raises InputError, naming the line, for what is no question."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read {path} ({error}): name a JSONL file as Social IQa has them") from error
    found = [_question(path, number, line) for number, line in enumerate(lines, 1) if line.strip()]
    if not found:
        raise InputError(f"{path} holds no question: name a JSONL file as Social IQa has them")
    return found


def _question(path: Path, number: int, line: str) -> Question:
    try:
        entry = json.loads(line)
        texts = [str(entry[key]).strip() for key in _TEXTS]
        gold = LETTERS.index(entry["correct"])
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"{path}, line {number} is no question: each needs {', '.join(_TEXTS)} and correct, which is A, B or C"
        ) from error
    if not all(texts):
        raise InputError(f"{path}, line {number} has an empty text: fill it in or take the line out")
    return Question(number, texts[0], texts[1], tuple(texts[2:]), gold)


def split(questions: Iterable[Question], one_in: int) -> tuple[list[Question], list[Question]]:
    """Training and held-out questions: all questions about a context fall on the same side, by its text alone."""
    training: list[Question] = []
    held_out: list[Question] = []
    for one in questions:
        (held_out if _number(one.context) % one_in == 0 else training).append(one)
    return training, held_out


def _number(text: str) -> int:
    return int(hashlib.sha256(text.encode()).hexdigest()[:16], 16)


def digest_of(questions: Sequence[Question]) -> str:
    """SHA-256 over all texts and right answers, in their order."""
    texts = [[one.context, one.question, *one.answers, LETTERS[one.gold]] for one in questions]
    return hashlib.sha256(json.dumps(texts).encode()).hexdigest()


def encoded(tokenizer: Any, questions: Sequence[Question]) -> list[list[EncodedPair]]:
    """Each question's choices as tokens. Raises InputError for one that is too long for the model: nothing is cut."""
    pairs = encode_pairs(tokenizer, [pair for one in questions for pair in one.pairs])
    rows = [pairs[start : start + len(LETTERS)] for start in range(0, len(pairs), len(LETTERS))]
    for one, row in zip(questions, rows, strict=True):
        if fault := next((choice.fault for choice in row if choice.fault.startswith("longer")), ""):
            raise InputError(f"the question in line {one.line} is {fault}: take it out or choose another --base")
    return rows
