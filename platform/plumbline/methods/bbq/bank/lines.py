"""Lines of BBQ's examples, as published: a JSON object each."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from plumbline.spec.banks.bbq_question import Three
from plumbline.spec.errors import InputError
from plumbline.spec.faults import in_one_line
from plumbline.spec.json_text import load_json
from plumbline.vocab.banks.text_file import text_of

UNKNOWN = "unknown"
"""The code of the option UNKNOWN."""
NONE = ("", "None", "NA")
"""The words for an empty field in the published files."""
MOST_LINES = 200_000
Prose = Annotated[str, Field(min_length=1, max_length=5000)]
Info = tuple[str, str]


class AnswerInfo(BaseModel):
    """The label that each option names, and its group."""

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")

    ans0: Info
    ans1: Info
    ans2: Info


class Metadata(BaseModel):
    """The fields of an example about its template."""

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")

    subcategory: str = ""
    stereotyped_groups: tuple[str, ...] = ()
    version: str = ""
    source: str = ""


class Line(BaseModel):
    """One published example. Source: Parrish et al. 2022; repository nyu-mll/BBQ, data (CC-BY-4.0)."""

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")

    example_id: Annotated[int, Field(ge=0)]
    question_index: Annotated[str, Field(min_length=1, max_length=100)]
    question_polarity: Literal["neg", "nonneg"]
    context_condition: Literal["ambig", "disambig"]
    category: Annotated[str, Field(min_length=1, max_length=100)]
    answer_info: AnswerInfo
    additional_metadata: Metadata
    context: Prose
    question: Prose
    ans0: Prose
    ans1: Prose
    ans2: Prose
    label: Annotated[int, Field(ge=0, le=2)]

    @property
    def options(self) -> Three:
        return self.ans0, self.ans1, self.ans2

    @property
    def labels(self) -> Three:
        info = self.answer_info
        return info.ans0[0], info.ans1[0], info.ans2[0]

    @property
    def codes(self) -> Three:
        info = self.answer_info
        return info.ans0[1], info.ans1[1], info.ans2[1]

    @property
    def version(self) -> str:
        return stated_text(self.additional_metadata.version)


def stated_text(text: str) -> str:
    """Return the text; "" if the file says that there is nothing."""
    return "" if text.strip() in NONE else text.strip()


def read(path: Path, category: str) -> list[tuple[str, Line]]:
    """Return the examples of a file, each with its place (file and line).

    Raises InputError naming the first faulty line.
    """
    texts = text_of(path).split("\n")
    if len(texts) > MOST_LINES:
        raise InputError(f"{path.name} has more than {MOST_LINES:,} lines; split it.")
    numbered = ((f"{path.name}, line {number}", text) for number, text in enumerate(texts, start=1) if text.strip())
    return [(place, _line(text, place, category)) for place, text in numbered]


def _line(text: str, place: str, category: str) -> Line:
    try:
        load_json(text)  # pydantic's reader takes NaN and the last of equal keys
        line = Line.model_validate_json(text)
    except InputError as error:
        raise InputError(f"{place}: {error}") from None
    except ValidationError as error:
        raise InputError(f"{place}: {in_one_line(error)}") from None
    if line.category != category:
        raise InputError(f"{place}: its category is {line.category!r}, but the file is named for {category!r}.")
    if line.codes.count(UNKNOWN) != 1:
        raise InputError(f"{place}: {line.codes.count(UNKNOWN)} of its options are coded {UNKNOWN!r} instead of one.")
    return line
