"""Requests of BBQ: items in the orders of their options, and the answer to each."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from plumbline.methods.bbq.prompts import Order, in_order
from plumbline.methods.bbq.spec import BbqSpec
from plumbline.spec.answers.classes import AnswerClass
from plumbline.spec.banks.bbq_question import Question
from workers.probes.protocol import Columns


@dataclass(frozen=True, slots=True)
class Ask:
    """An item with its options in one order, and the number of the sample if it is asked several times."""

    question: Question
    order: Order
    sample: int = 0

    @property
    def options(self) -> list[str]:
        return in_order(self.question, self.order)

    def place(self, of_bank: int | None) -> int | None:
        """Return the place of one of the bank's options in this order."""
        return None if of_bank is None else self.order.index(of_bank)


@dataclass(frozen=True, slots=True)
class Answer:
    """The chosen place and a number for each option, in the order asked; or the reason why there is no answer."""

    chosen: int | None
    logits: tuple[float, ...] | None = None
    reason: str = ""
    kind: AnswerClass | None = None
    """The class of an answer in text."""
    reply: int | None = None
    """The number of the whole answer in the store."""

    @classmethod
    def of(cls, logits: Sequence[float]) -> "Answer":
        """Return the answer with the largest number; of equal ones the first."""
        return cls(int(np.argmax(logits)), tuple(float(value) for value in logits))


def columns(spec: BbqSpec, banks: Sequence[str], asks: Sequence[Ask], answers: Sequence[Answer]) -> Columns:
    """Return one row of `choice` for each request."""
    questions = [ask.question for ask in asks]
    return {
        "probe": [spec.probe] * len(asks),
        "bank": list(banks),
        "item": [one.id for one in questions],
        "category": [one.reported for one in questions],
        "template": [one.cluster for one in questions],
        "condition": [one.condition for one in questions],
        "polarity": [one.polarity for one in questions],
        "name": [""] * len(asks),
        "group": [about(one) for one in questions],
        "options": [listed(ask) for ask in asks],
        "sample": [ask.sample for ask in asks],
        "logits": [None if one.logits is None else json.dumps(one.logits) for one in answers],
        "chosen": [one.chosen for one in answers],
        "gold": [ask.place(gold(spec, ask.question)) for ask in asks],
        "target": [ask.place(ask.question.target) for ask in asks],
        "unknown": [ask.place(ask.question.unknown) for ask in asks],
        "reason": [one.reason or None for one in answers],
    }


def parsed_columns(
    spec: BbqSpec, banks: Sequence[str], asks: Sequence[Ask], answers: Sequence[Answer], parser: str
) -> Columns:
    """Return one row of `parsed_answer` for each answer in text."""
    questions = [ask.question for ask in asks]
    return {
        "probe": [spec.probe] * len(asks),
        "bank": list(banks),
        "item": [one.id for one in questions],
        "category": [one.reported for one in questions],
        "template": [one.cluster for one in questions],
        "condition": [one.condition for one in questions],
        "group": [about(one) for one in questions],
        "options": [listed(ask) for ask in asks],
        "sample": [ask.sample for ask in asks],
        "answer_class": [str(one.kind) for one in answers],
        "parser": [parser] * len(asks),
        "chosen": [one.chosen for one in answers],
        "reply": [one.reply for one in answers],
    }


def about(question: Question) -> str:
    """Return the label that the stereotype is about; empty if no rule decides."""
    return "" if question.target is None else question.labels[question.target]


def gold(spec: BbqSpec, question: Question) -> int:
    """Return the right place. Without a context it is UNKNOWN (Parrish et al. 2022, appendix F)."""
    return question.unknown if spec.params.question_only else question.gold


def listed(ask: Ask) -> str:
    return json.dumps(ask.options, ensure_ascii=False)
