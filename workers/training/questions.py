"""Multiple-choice questions, their split by context, and files in the format of Social IQa."""

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from plumbline.spec.errors import InputError
from plumbline.spec.json_text import load_json
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
    """The line in its file, counted from 1."""
    context: str
    question: str
    answers: tuple[str, ...]
    gold: int
    """The index of the right answer, counted from 0."""
    layout: Layout = "arc"
    place: str = ""
    """Its place for messages; empty: its line."""

    @property
    def pairs(self) -> list[Pair]:
        """The pairs of texts that the model reads, one per answer, as the probe `bbq` writes them in the same layout.

        arc: context and question, then the answer (An et al. 2023, section 4). race: the passage, then question and
        answer (Parrish et al. 2022, section 5).
        """
        if self.layout == "race":
            return [(self.context, f"{self.question} {answer}") for answer in self.answers]
        return [(f"{self.context} {self.question}", answer) for answer in self.answers]


def capitalised(questions: Iterable[Question]) -> list[str]:
    """Return the capitalised words of the questions' texts, sorted; names are among them."""
    return capitalised_words(text for one in questions for text in (one.context, one.question, *one.answers))


def capitalised_words(texts: Iterable[str]) -> list[str]:
    """Return the capitalised words of the texts, sorted."""
    return sorted({word for text in texts for word in _WORD.findall(text) if word[0].isupper()})


def read_questions(path: Path) -> list[Question]:
    """Read the questions of a JSONL file. Raises InputError, naming the line, for an invalid one."""
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
        entry = load_json(line)
        texts = [str(entry[key]).strip() for key in _TEXTS]
        gold = THREE.index(entry["correct"])
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"{path}, line {number} is not a question: each needs {', '.join(_TEXTS)} and correct, which is A, B or C"
        ) from error
    if not all(texts):
        raise InputError(f"{path}, line {number} has an empty text: fill it in or take the line out")
    return Question(number, texts[0], texts[1], tuple(texts[2:]), gold)


def split(questions: Iterable[Question], one_in: int) -> tuple[list[Question], list[Question]]:
    """Split questions into training and held-out ones, by the context's text alone, so that no context is in both."""
    training: list[Question] = []
    held_out: list[Question] = []
    for one in questions:
        (held_out if is_one_in(one.context, one_in) else training).append(one)
    return training, held_out


def is_one_in(text: str, one_in: int) -> bool:
    """Return whether the text's SHA-256 chooses it as one in so many, to be held out."""
    return int(hashlib.sha256(text.encode()).hexdigest()[:16], 16) % one_in == 0


def digest_of(questions: Sequence[Question]) -> str:
    """Return the SHA-256 over all texts, right answers and layouts other than arc, in their order."""
    texts = [
        [one.context, one.question, *one.answers, LETTERS[one.gold], *([] if one.layout == "arc" else [one.layout])]
        for one in questions
    ]
    return hashlib.sha256(json.dumps(texts).encode()).hexdigest()


def check(tokenizer: Any, questions: Sequence[Question]) -> None:
    """Check that the questions can be learnt. Raises InputError as `encoded` and `check_answers` do."""
    check_answers(questions)
    for start in range(0, len(questions), CHUNK):
        encoded(tokenizer, questions[start : start + CHUNK])


def check_answers(questions: Sequence[Question]) -> None:
    """Check that all questions have equally many answers. Raises InputError if they differ."""
    if odd := next((one for one in questions if len(one.answers) != len(questions[0].answers)), None):
        raise InputError(
            f"{_place(odd)} has {len(odd.answers)} answers, the first question {len(questions[0].answers)}: train on"
            " questions with equally many"
        )


def encoded(tokenizer: Any, questions: Sequence[Question]) -> list[list[EncodedPair]]:
    """Return each question's choices as tokens. Raises InputError for a question longer than the model's limit."""
    pairs = iter(encode_pairs(tokenizer, [pair for one in questions for pair in one.pairs]))
    rows = [list(islice(pairs, len(one.answers))) for one in questions]
    for one, row in zip(questions, rows, strict=True):
        if fault := next((choice.fault for choice in row if choice.fault.startswith("longer")), ""):
            raise InputError(f"{_place(one)} is {fault}: take it out or choose another --base")
    return rows


def _place(one: Question) -> str:
    return one.place or f"the question in line {one.line}"
