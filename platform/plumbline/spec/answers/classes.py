"""What an answer in text is: one option, or one of the reasons why it is none."""

from dataclasses import dataclass
from enum import StrEnum


class AnswerClass(StrEnum):
    """The classes of answers. Only the first one chooses an option."""

    OPTION = "option"
    SEVERAL = "several options"
    REFUSAL = "refusal"
    CUT_OFF = "cut off"
    EMPTY = "empty"
    FILTERED = "content filter"
    UNMATCHED = "unmatched"


@dataclass(frozen=True, slots=True)
class Parsed:
    """The class of an answer, and the place of the option that it names; None for every other class."""

    kind: AnswerClass
    chosen: int | None = None

    @classmethod
    def option(cls, place: int) -> "Parsed":
        return cls(AnswerClass.OPTION, place)
