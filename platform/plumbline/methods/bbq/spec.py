"""The spec of BBQ: do answers follow stereotypes where the context gives no answer, and against it where it does?

Source: Parrish et al. 2022.
"""

from collections.abc import Mapping, Set
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from plumbline.methods.bbq import few_shot, prompts
from plumbline.methods.bbq.card import CARD
from plumbline.methods.bbq.params import ANSWERING, SUMMARY_PARAMS, BbqParams
from plumbline.methods.bbq.planned_tests import of_scores
from plumbline.spec.answers.chat_question import WorkedExample
from plumbline.spec.answers.params import REMOTE_PARAMS
from plumbline.spec.answers.spec import TextAnswersSpec
from plumbline.spec.banks.bank_source import BankSource, CategorySource
from plumbline.spec.banks.bbq_question import OPTIONS, Question
from plumbline.spec.content import Entry
from plumbline.spec.errors import SpecError
from plumbline.spec.power.tests import PlannedTest
from plumbline.spec.reference import ModelReference, Scheme
from plumbline.spec.registry import Method
from plumbline.spec.sources import Joined, entries_of

__all__ = ["CARD", "BbqParams", "BbqSpec", "Question", "StoredAnswer"]


class QuestionSource(CategorySource[Question]):
    """Source of questions: `{bank: SLUG, categories: [...]}`, or `{inline: [...]}`."""


class StoredAnswer(Entry):
    """An answer that a model gave elsewhere to one question: its text, the chosen option, or a logit of each option."""

    id: Annotated[str, Field(min_length=1, max_length=200)]
    """The id of the question in its bank."""
    output: str | None = None
    chosen: Annotated[int, Field(ge=0, lt=OPTIONS)] | None = None
    """The place among the options as the bank orders them."""
    logits: tuple[float, float, float] | None = None

    @model_validator(mode="after")
    def _one_answer(self) -> Self:
        if self.output is None and self.chosen is None and self.logits is None:
            raise ValueError(f"the answer to {self.id!r} holds neither output, chosen nor logits")
        return self


class AnswerSource(BankSource[StoredAnswer]):
    """Source of imported answers: `{bank: SLUG}`."""


Questions = Annotated[tuple[QuestionSource, ...], Joined, Field(min_length=1, strict=False)]
Answers = Annotated[tuple[AnswerSource, ...], Joined, Field(min_length=1, max_length=1, strict=False)]


class BbqSpec(TextAnswersSpec):
    """Questions of banks for a model, or imported `answers` to them with `model: answers:NAME`."""

    probe: Literal["bbq"]
    bank: Questions
    """The questions. In the results, those with proper names count as a category of their own."""
    answers: Answers | None = None
    few_shot_bank: Questions | None = None
    """The questions from which `params.few_shot` draws worked examples. Templates that are asked give none."""
    params: BbqParams = BbqParams()
    summary_params: ClassVar[Set[str]] = SUMMARY_PARAMS | REMOTE_PARAMS
    answering: ClassVar[Set[str]] = ANSWERING

    @model_validator(mode="after")
    def _answers_or_model(self) -> Self:
        stored = ModelReference.parse(self.model).scheme is Scheme.ANSWERS
        if stored != (self.answers is not None):
            raise ValueError("stored answers need both: model: answers:NAME and answers: {bank: SLUG}")
        return self

    @model_validator(mode="after")
    def _examples_with_contexts(self) -> Self:
        if self.params.few_shot and self.params.question_only:
            raise ValueError("params.few_shot with question_only would teach that UNKNOWN is always right; drop one")
        return self

    def questions(self, snapshots: Mapping[str, Mapping[str, Any]]) -> list[Question]:
        """Return the questions in the order of the banks. Raises SpecError for a repeated id."""
        found = _questions_of(self.bank, snapshots)
        seen: set[str] = set()
        for question in found:
            if question.id in seen:
                raise SpecError(f"question {question.id!r} appears twice; keep one.")
            seen.add(question.id)
        return found

    def worked_examples(self, snapshots: Mapping[str, Mapping[str, Any]]) -> list[WorkedExample]:
        """Return the questions and right answers that come before each question, all the same.

        Raises SpecError if the bank has too few templates that are not asked.
        """
        if self.few_shot_bank is None:
            return []
        bank, asked = _questions_of(self.few_shot_bank, snapshots), _questions_of(self.bank, snapshots)
        drawn = few_shot.drawn(bank, asked, self.params.few_shot, self.seed)
        return [few_shot.worked(one, self.params) for one in drawn]

    def stored(self, snapshots: Mapping[str, Mapping[str, Any]]) -> dict[str, StoredAnswer]:
        """Return the imported answers by question; empty if a model is asked.

        Raises SpecError for a repeated question.
        """
        if self.answers is None:
            return {}
        found: dict[str, StoredAnswer] = {}
        for entry in entries_of(self.answers[0], snapshots):
            answer = StoredAnswer.model_validate(entry)
            if answer.id in found:
                raise SpecError(f"question {answer.id!r} is answered twice; keep one answer.")
            found[answer.id] = answer
        return found

    def item_count(self, snapshots: Mapping[str, Mapping[str, Any]]) -> int | None:
        own = self.params
        return own.samples * len(self.questions(snapshots)) if own.orders == "given" else None

    def example_question(self, snapshots: Mapping[str, Mapping[str, Any]]) -> str:
        found = self.questions(snapshots)
        if not found:
            return ""
        context = "" if self.params.question_only else f"{found[0].context} "
        return f"{context}{found[0].question} ({' / '.join(found[0].options)})"

    def planned_tests(self, snapshots: Mapping[str, Mapping[str, Any]]) -> list[PlannedTest]:
        return of_scores(self, self.questions(snapshots))

    def cost(self, snapshots: Mapping[str, Mapping[str, Any]]) -> str:
        if not self.asks_endpoint():
            return ""
        examples = self.worked_examples(snapshots)
        return self.cost_sentence(*prompts.cost(self.questions(snapshots), self.params, examples))

    def check(self, snapshots: Mapping[str, Mapping[str, Any]]) -> None:
        if not (questions := self.questions(snapshots)):
            raise SpecError("the bank holds no question of these categories.")
        self.worked_examples(snapshots)
        if self.answers is None:
            return
        known = {question.id for question in questions}
        if foreign := [name for name in self.stored(snapshots) if name not in known]:
            raise SpecError(f"{foreign[0]!r}, which is answered, is no question of the bank.")


def _questions_of(sources: Questions, snapshots: Mapping[str, Mapping[str, Any]]) -> list[Question]:
    return [Question.model_validate(entry) for source in sources for entry in entries_of(source, snapshots)]


METHODS = {CARD.probe: Method(BbqSpec, CARD)}
