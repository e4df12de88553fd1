"""Accuracy on multiple-choice questions: banks such as Social IQa, whose items also have wrong answers."""

from collections.abc import Mapping, Set
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AliasChoices, Field, model_validator

from plumbline.methods.question_accuracy.card import CARD
from plumbline.spec.audit import AuditSpec
from plumbline.spec.content import Entry
from plumbline.spec.contexts import SLOT, filled, refuse_repeats
from plumbline.spec.errors import SpecError
from plumbline.spec.registry import Method
from plumbline.spec.sources import Joined, Source, Strict, entries_of

Snapshots = Mapping[str, Mapping[str, Any]]
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
        first = self._filled(f"{self.context} {self.question}".strip())
        return [(first, self._filled(option)) for option in self.options]

    def _filled(self, text: str) -> str:
        return filled(text, self.seed_name)


class QuestionSource(Source[ChoiceQuestion]):
    """`{bank: SLUG, only: [ids]}` takes questions of a bank; `{inline: [...]}` holds questions itself."""

    slug: str | None = Field(default=None, validation_alias=AliasChoices("bank", "list"), serialization_alias="list")


Questions = Annotated[tuple[QuestionSource, ...], Joined, Field(min_length=1, strict=False)]


class AccuracyParams(Strict):
    scoring: Literal["mean_token", "sum", "pmi"] = "mean_token"
    """How a causal model's likelihood of an option becomes its score."""
    level: Annotated[float, Field(gt=0.5, lt=1.0)] = 0.95


class AccuracySpec(AuditSpec):
    """Multiple-choice questions, each answered by a multiple-choice or causal model."""

    probe: Literal["question_accuracy"]
    bank: Questions
    params: AccuracyParams = AccuracyParams()
    summary_params: ClassVar[Set[str]] = frozenset({"level"})

    def questions(self, snapshots: Snapshots) -> list[ChoiceQuestion]:
        """Return the questions in the banks' order. SpecError for a repeated or unknown id, or no wrong answer."""
        found = [one for source in self.bank for one in _chosen(source, snapshots)]
        refuse_repeats([one.id for one in found], "question")
        return found

    def banks(self, snapshots: Snapshots) -> dict[str, str]:
        """Return the bank of each question by its id; empty for inline questions."""
        return {one.id: source.slug or "" for source in self.bank for one in _chosen(source, snapshots)}

    def item_count(self, snapshots: Snapshots) -> int | None:
        return len(self.questions(snapshots))

    def check(self, snapshots: Snapshots) -> None:
        self.questions(snapshots)


def _chosen(source: QuestionSource, snapshots: Snapshots) -> list[ChoiceQuestion]:
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
    return [ChoiceQuestion.model_validate(one) for one in entries]


METHODS = {CARD.probe: Method(AccuracySpec, CARD)}
