"""Questions in the format of RACE: a folder of passages as released, or lines of JSON.

Source: Lai et al. 2017, RACE: Large-scale ReAding Comprehension Dataset From Examinations.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from plumbline.spec.errors import InputError
from plumbline.spec.json_text import load_json
from workers.training.questions import LETTERS, Question

WHOLE = "article, questions, options and answers"
SINGLE = "article, question, options and answer"
FEWEST = 2


def read_race(path: Path) -> tuple[list[Question], int]:
    """Return all questions, and the number left out for an empty text. Raises InputError naming the file and line.

    `path`: a folder with a JSON object in each .txt below it, one such file, or .jsonl with a passage, or one question,
    on each line.
    """
    files = sorted(path.rglob("*.txt")) if path.is_dir() else [path]
    every = [one for file in files for place, entry in _entries(file) for one in _questions(entry, place)]
    found = [one for one in every if all((one.context, one.question, *one.answers))]
    if not found:
        raise InputError(f"{path} holds no question: name RACE's folder of .txt files, or a .jsonl file")
    return found, len(every) - len(found)


def _entries(file: Path) -> Iterator[tuple[str, Any]]:
    """Yield the objects of a file, each with its place. Raises InputError for invalid JSON."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read {file} ({error}): name RACE's folder of .txt files, or a .jsonl file") from error
    lines = text.splitlines() if file.suffix == ".jsonl" else [text]
    for number, line in enumerate(lines, 1):
        if line.strip():
            place = f"{file}, line {number}" if file.suffix == ".jsonl" else str(file)
            try:
                yield place, load_json(line)
            except ValueError as error:
                raise InputError(f"{place} is not valid JSON ({error}): correct it or remove it") from error


def _questions(entry: Any, place: str) -> list[Question]:
    try:
        if "questions" in entry:
            rows = list(zip(entry["questions"], entry["options"], entry["answers"], strict=True))
        else:
            rows = [(entry["question"], entry["options"], entry["answer"])]
        return [_question(entry, row, f"{place}, question {number}") for number, row in enumerate(rows, 1)]
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(
            f"{place} is not a passage of RACE: it needs {WHOLE}, as many of each, or {SINGLE}; an answer is the letter"
            " of an option"
        ) from error


def _question(entry: Mapping[str, Any], row: Sequence[Any], place: str) -> Question:
    question, options, answer = row
    texts = [str(option).strip() for option in options]
    gold = LETTERS.index(answer)
    if isinstance(options, str) or not FEWEST <= len(texts) <= len(LETTERS) or gold >= len(texts) or len(answer) != 1:
        raise ValueError
    return Question(0, str(entry["article"]).strip(), str(question).strip(), tuple(texts), gold, "race", place)
