"""Multiple-choice questions with a right answer, as banks such as Social IQa store them and specs choose them."""

from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from plumbline.spec.banks.bank_source import BankSource
from plumbline.spec.banks.contexts import SLOT, filled
from plumbline.spec.content import Entry
from plumbline.spec.errors import SpecError
from plumbline.spec.sources import Joined, Source, entries_of

Text = Annotated[str, Field(min_length=1, max_length=1000)]


class ChoiceQuestion(Entry):
    """A context with a question, the right answer and the wrong ones. `{name}` is filled with `seed_name`."""

    id: Annotated[str, Field(min_length=1, max_length=200)]
    context: Annotated[str, Field(max_length=5000)]
    question: Text
    answer: Text
    others: Annotated[tuple[Text, ...], Field(min_length=1, max_length=9, strict=False)]
    seed_name: str = ""

    @model_validator(mode="after")
    def _has_a_name(self) -> Self:
        if not self.seed_name and any(SLOT in text for text in (self.context, self.question, *self.options)):
            raise ValueError(f"question {self.id!r} has the slot {SLOT} and no seed_name to fill it")
        return self

    @property
    def options(self) -> tuple[str, ...]:
        """The options, the right answer last, so that a tie never counts as right."""
        return (*self.others, self.answer)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The pairs of first text and option that a model reads, as in An et al. 2023, section 4."""
        first = self.filled(f"{self.context} {self.question}".strip())
        return [(first, self.filled(option)) for option in self.options]

    def filled(self, text: str) -> str:
        return filled(text, self.seed_name)


class QuestionSource(BankSource[ChoiceQuestion]):
    """`{bank: SLUG, only: [ids]}` takes questions of a bank; `{inline: [...]}` holds questions itself."""


Questions = Annotated[tuple[QuestionSource, ...], Joined, Field(min_length=1, strict=False)]


def chosen_entries(source: Source[Any], snapshots: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the questions of a source as its bank stores them.

    Raises SpecError for an id that the bank lacks, and for a question without wrong answers.
    """
    entries = [one for one in entries_of(source.model_copy(update={"only": None}), snapshots) if isinstance(one, dict)]
    if source.only is not None:
        known = {str(one["id"]): one for one in entries}
        if missing := [key for key in source.only if key not in known]:
            raise SpecError(f"the bank {source.slug!r} has no question {missing[0]!r}, which 'only' names.")
        entries = [known[key] for key in source.only]
    if unfit := [one["id"] for one in entries if not one.get("others")]:
        raise SpecError(
            f"the question {unfit[0]!r} of {source.slug!r} has no wrong answers: choose a bank of questions, such as"
            " one of Social IQa."
        )
    return entries
