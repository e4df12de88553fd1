"""Files of Social IQa: one JSON object per line. The right answers are in it, or in a file of labels in its folder."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from plumbline.spec.clean_text import tidy
from plumbline.spec.errors import InputError
from plumbline.spec.faults import in_one_line
from plumbline.spec.json_text import load_json
from plumbline.vocab.banks.text_file import text_of

MOST_LINES = 100_000
CHOICES = "ABC"
LABELS = {"A": 0, "B": 1, "C": 2, "1": 0, "2": 1, "3": 2}
Prose = Annotated[str, Field(min_length=1, max_length=2000)]


class Line(BaseModel):
    """A question with three answers.

    Source: Sap et al. 2019, Social IQa; the right letter in it as in An et al. 2023.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)

    context: Prose
    question: Prose
    answerA: Prose  # noqa: N815 -- the file's own keys
    answerB: Prose  # noqa: N815
    answerC: Prose  # noqa: N815
    correct: str = ""

    @field_validator("context", "question", "answerA", "answerB", "answerC", mode="before")
    @classmethod
    def _plain(cls, text: Any) -> Any:
        if not isinstance(text, str):
            return text
        if "{" in text or "}" in text:
            raise ValueError("has a brace, which marks slots; take it out")
        # Published lines hold tabs, unusual spaces and line ends, which no model should see.
        return tidy(" ".join(text.split()))

    @property
    def answers(self) -> tuple[str, str, str]:
        return self.answerA, self.answerB, self.answerC


def read(path: Path) -> list[tuple[Line, int]]:
    """Return the questions with the places (0, 1, 2) of their right answers.

    Raises InputError that names file and line of the first fault, or the missing file of labels.
    """
    lines = text_of(path).split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    if len(lines) > MOST_LINES:
        raise InputError(f"{path.name} has more than {MOST_LINES:,} lines; split it.")
    found = [_line(line, f"{path.name}, line {number}") for number, line in enumerate(lines, start=1)]
    labels = _labels(path, found)
    return list(zip(found, labels, strict=True))


def labels_path(path: Path) -> Path:
    """Return the path of a file's labels: `dev-labels.lst` next to `dev.jsonl`, or the same with `.gz`."""
    stem = path.name.removesuffix(".gz").removesuffix(".jsonl")
    plain = path.with_name(f"{stem}-labels.lst")
    packed = plain.with_name(plain.name + ".gz")
    return packed if packed.is_file() and not plain.is_file() else plain


def _line(line: str, place: str) -> Line:
    try:
        return Line.model_validate(load_json(line))
    except ValidationError as error:
        raise InputError(f"{place}: {in_one_line(error)}") from None
    except InputError as error:
        raise InputError(f"{place}: {str(error).rstrip('.')}; is it a file of Social IQa?") from None


def _labels(path: Path, lines: Sequence[Line]) -> list[int]:
    """Return the place of the right answer of each line."""
    own = [line.correct for line in lines]
    if all(own):
        return [_label(text, f"{path.name}, line {number}") for number, text in enumerate(own, start=1)]
    beside = labels_path(path)
    if any(own) or not beside.is_file():
        unlabelled = own.index("") + 1
        raise InputError(
            f"{path.name}, line {unlabelled}: it does not say which answer is right ('correct'), and there is no"
            f" {beside.name} beside the file that says it; put it there."
        )
    labels = text_of(beside).split()
    if len(labels) != len(lines):
        raise InputError(f"{beside.name} has {len(labels)} labels for {len(lines)} questions; fetch both files again.")
    return [_label(text, f"{beside.name}, label {number}") for number, text in enumerate(labels, start=1)]


def _label(text: str, place: str) -> int:
    if text not in LABELS:
        raise InputError(f"{place}: {text!r} names no answer; write A, B or C, or 1, 2 or 3.")
    return LABELS[text]
