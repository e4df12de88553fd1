"""Multiple-choice questions, split by context; and a file of the user's as Social IQa writes them."""

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from plumbline.spec.errors import InputError
from workers.engine.multiple_choice import EncodedPair, Pair, encode_pairs

LETTERS = "ABCDEFGH"
THREE = LETTERS[:3]
CHUNK = 512
Layout = Literal["arc", "race"]
_WORD = re.compile(r"\w+(?:[-'’]\w{2,})*")
_TEXTS = ("context", "question", *(f"answer{letter}" for letter in THREE))


@dataclass(frozen=True)
class Question:
    line: int
    """Of its file, from 1."""
    context: str
    question: str
    answers: tuple[str, ...]
    gold: int
    """Which answer is right, from 0."""
    layout: Layout = "arc"
    place: str = ""
    """Where it stands; empty: in its line."""

    @property
    def pairs(self) -> list[Pair]:
        """What the model reads with each answer, as the probe `bbq` asks in the same layout.

        arc: context and question, then the answer (An et al. 2023, section 4). race: the passage, then question and
        answer (Parrish et al. 2022, section 5).
        """
        if self.layout == "race":
            return [(self.context, f"{self.question} {answer}") for answer in self.answers]
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
        gold = THREE.index(entry["correct"])
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
    """SHA-256 over all texts, right answers and layouts other than arc, in their order."""
    texts = [
        [one.context, one.question, *one.answers, LETTERS[one.gold], *([] if one.layout == "arc" else [one.layout])]
        for one in questions
    ]
    return hashlib.sha256(json.dumps(texts).encode()).hexdigest()


def check(tokenizer: Any, questions: Sequence[Question]) -> None:
    """Raises InputError as `encoded` and `check_answers`; keeps nothing."""
    check_answers(questions)
    for start in range(0, len(questions), CHUNK):
        encoded(tokenizer, questions[start : start + CHUNK])


def check_answers(questions: Sequence[Question]) -> None:
    """Raises InputError where questions differ in their number of answers."""
    if odd := next((one for one in questions if len(one.answers) != len(questions[0].answers)), None):
        raise InputError(
            f"{_place(odd)} has {len(odd.answers)} answers, the first question {len(questions[0].answers)}: train on"
            " questions with equally many"
        )


def encoded(tokenizer: Any, questions: Sequence[Question]) -> list[list[EncodedPair]]:
    """Each question's choices as tokens. Raises InputError for one that is too long for the model: nothing is cut."""
    pairs = iter(encode_pairs(tokenizer, [pair for one in questions for pair in one.pairs]))
    rows = [list(islice(pairs, len(one.answers))) for one in questions]
    for one, row in zip(questions, rows, strict=True):
        if fault := next((choice.fault for choice in row if choice.fault.startswith("longer")), ""):
            raise InputError(f"{_place(one)} is {fault}: take it out or choose another --base")
    return rows


def _place(one: Question) -> str:
    return one.place or f"the question in line {one.line}"
