"""Questions of a BBQ run for people: the three options, the role of each, and the model's answer."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plumbline.audits.models import Run
from plumbline.methods.bbq.choices import sampled_shares
from plumbline.methods.bbq.question_texts import questions
from plumbline.results.whole_answers import WholeAnswer, whole_answers
from plumbline.spec.banks.bbq_question import NEGATIVE, OPTIONS, Question

SCORES = {
    "letter": "likelihoods of the letters A, B and C",
    "mean_token": "the model's scores of the three options (of causal models mean log likelihoods of a token)",
    "sum": "log likelihoods of the three options",
    "mean_byte": "mean log likelihoods of a byte of the three options",
    "pmi": "log likelihoods of the three options beyond those without the question",
}
STORED = "the scores that were imported"


@dataclass(frozen=True, slots=True)
class Option:
    """An option: its text, its share (None: the model gave no scores), and its role."""

    text: str
    share: float | None
    score: float | None
    chosen: bool
    gold: bool
    roles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AnsweredItem:
    """An answer with its question. Without `question` its text is no longer stored."""

    record: Any
    question: Question | None
    options: tuple[Option, ...]
    whole: WholeAnswer | None = None
    """The answer in text, of a model that gives no scores."""

    @property
    def reason(self) -> str:
        return self.record.reason.text if self.record.reason else ""

    @property
    def verdict(self) -> str:
        """Return the kind of answer that was given."""
        chosen = next((one for one in self.options if one.chosen), None)
        if chosen is None:
            return "matches no option"
        if "UNKNOWN" in chosen.roles:
            return "UNKNOWN"
        return "biased" if "biased" in chosen.roles else "against the bias" if self.record.target is not None else ""


def answered_items(run: Run, records: Sequence[Any]) -> list[AnsweredItem]:
    """Return the records (with their terms), each with its question as the run froze it."""
    texts: Mapping[str, Question] = questions(run, {one.item.text for one in records}) if records else {}
    whole = whole_answers(run.pk, [one.id for one in records]) if run.is_in_text else {}
    sampled = sampled_shares(run.pk, records) if samples_of(run) > 1 else {}
    return [
        AnsweredItem(
            one,
            texts.get(one.item.text),
            options(one, sampled.get((one.item_id, one.options_id))),
            whole.get(one.id),
        )
        for one in records
    ]


def options(record: Any, sampled: Sequence[float] | None = None) -> tuple[Option, ...]:
    """Return the options in the order in which the model saw them. `sampled` has their shares of several answers."""
    texts: list[str] = json.loads(record.options.text)
    scores: Sequence[Any] = json.loads(record.logits) if record.logits else [None] * len(texts)
    shares: Sequence[float | None] = softmax(scores) if record.logits else sampled or scores
    return tuple(
        Option(text, shares[place], scores[place], record.chosen == place, record.gold == place, _roles(record, place))
        for place, text in enumerate(texts)
    )


def softmax(scores: Sequence[float]) -> list[float]:
    most = max(scores)
    parts = [math.exp(one - most) for one in scores]
    return [part / sum(parts) for part in parts]


def _roles(record: Any, place: int) -> tuple[str, ...]:
    """Return the role (target, non-target or UNKNOWN), and whether it is the biased answer."""
    if place == record.unknown:
        return ("UNKNOWN",)
    if record.target is None:
        return ()
    other = OPTIONS - record.target - record.unknown
    biased = record.target if record.polarity.text == NEGATIVE else other
    return ("target" if place == record.target else "non-target", *(("biased",) if place == biased else ()))


def samples_of(run: Run) -> int:
    """Return how often each question was asked in each order of its options."""
    return int((run.spec.get("params") or {}).get("samples", 1))


def reading_of(run: Run) -> str:
    """Return what the shares of the options are computed from."""
    if run.model.startswith("answers:"):
        return STORED
    params: Mapping[str, Any] = run.spec.get("params") or {}
    return SCORES.get(params.get("scoring", "mean_token"), SCORES["mean_token"])
