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


TABLE = "parsed_answer"
"""The table of the classes of a run's answers, one row beside each record."""
BY_CLASS = "answers_by_class"
"""The statistic that counts answers: the class is its attribute, the group that they are about its group_a."""
UNMATCHED_LIMIT = 0.05
"""The largest share of answers that match no option: above it, a summary begins with their number (ours)."""
REASONS = {
    AnswerClass.SEVERAL: "the answer names several options",
    AnswerClass.REFUSAL: "the model refuses to answer",
    AnswerClass.CUT_OFF: "the answer is cut off before it names an option",
    AnswerClass.EMPTY: "the answer is empty",
    AnswerClass.FILTERED: "a content filter removed the answer",
    AnswerClass.UNMATCHED: "the answer names no option",
}
"""Why an answer of each class has no option, as records say it."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """The class of an answer, and the place of the option that it names; None for every other class."""

    kind: AnswerClass
    chosen: int | None = None

    @classmethod
    def option(cls, place: int) -> "Parsed":
        return cls(AnswerClass.OPTION, place)
