"""Accuracy on multiple-choice questions: banks such as Social IQa, whose items also have wrong answers."""

from collections.abc import Mapping, Set
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from plumbline.methods.question_accuracy.card import CARD
from plumbline.spec.audit import AuditSpec
from plumbline.spec.banks.choice_questions import ChoiceQuestion, Questions, QuestionSource, chosen_entries
from plumbline.spec.banks.contexts import refuse_repeats
from plumbline.spec.field_kinds import CAUSAL
from plumbline.spec.registry import Method
from plumbline.spec.sources import Strict

Snapshots = Mapping[str, Mapping[str, Any]]


class AccuracyParams(Strict):
    scoring: Annotated[Literal["mean_token", "sum", "pmi"], CAUSAL] = "mean_token"
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
    return [ChoiceQuestion.model_validate(one) for one in chosen_entries(source, snapshots)]


METHODS = {CARD.probe: Method(AccuracySpec, CARD)}
