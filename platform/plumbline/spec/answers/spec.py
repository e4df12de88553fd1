"""The part of a spec that all audits share whose questions a model may answer in text."""

from collections.abc import Set
from decimal import Decimal
from typing import Annotated, Any, ClassVar, Self

from pydantic import Field, model_validator

from plumbline.spec.answers.chat_question import ANSWER_TOKENS
from plumbline.spec.answers.params import ANSWERING, AnswerParams
from plumbline.spec.audit import AuditSpec
from plumbline.spec.field_kinds import IN_TEXT
from plumbline.spec.numbers import counted
from plumbline.spec.prices import Prices
from plumbline.spec.reference import answers_in_text


class TextAnswersSpec(AuditSpec):
    """An audit with `params` of answers in text. One with worked examples has their source in `few_shot_bank`."""

    replies_of: Annotated[int, Field(ge=1), IN_TEXT] | None = None
    """The run whose kept answers in text are parsed. Then nothing is asked."""
    answering: ClassVar[Set[str]] = ANSWERING
    """The params that change answers in text. At their defaults they are no part of content keys."""

    @property
    def answer_params(self) -> AnswerParams:
        params = getattr(self, "params", None)
        assert isinstance(params, AnswerParams)  # noqa: S101 -- each of these audits has them
        return params

    def chosen_answering(self) -> dict[str, Any]:
        """Return the params of answers in text that differ from their defaults, and change answers."""
        return self.answer_params.model_dump(mode="json", include=set(self.answering), exclude_defaults=True)

    def scoring_params(self) -> dict[str, Any]:
        found = super().scoring_params()
        chosen = self.chosen_answering()
        return {key: value for key, value in found.items() if key not in self.answering or key in chosen}

    def in_text(self) -> bool:
        return answers_in_text(self.model) or self.answer_params.generate

    def answers_of(self) -> int | None:
        return self.replies_of

    def asks_endpoint(self) -> bool:
        """Return whether a chat endpoint is asked."""
        return answers_in_text(self.model) and self.answers_of() is None

    @model_validator(mode="after")
    def _generated_or_sent(self) -> Self:
        if self.answer_params.generate and answers_in_text(self.model):
            raise ValueError("params.generate is for causal models; an endpoint writes anyway: leave it out")
        return self

    @model_validator(mode="after")
    def _replies_of_a_chat(self) -> Self:
        if self.replies_of is not None and not self.in_text():
            raise ValueError(
                "replies_of needs the model whose answers are parsed: an endpoint (openai:BASE_URL#MODEL), or a causal"
                " model with params.generate"
            )
        return self

    @model_validator(mode="after")
    def _examples_of_a_bank(self) -> Self:
        if bool(self.answer_params.few_shot) != (getattr(self, "few_shot_bank", None) is not None):
            raise ValueError("worked examples need both: few_shot_bank: {bank: SLUG} and params.few_shot, their number")
        if self.answer_params.few_shot and not self.in_text():
            raise ValueError(
                "params.few_shot is for answers in text, of remote endpoints and with params.generate: leave it out,"
                " and few_shot_bank too"
            )
        return self

    @model_validator(mode="after")
    def _batches_of_an_endpoint(self) -> Self:
        if self.answer_params.batch and not self.asks_endpoint():
            raise ValueError(
                "params.batch is for audits that ask a chat endpoint (openai:BASE_URL#MODEL): leave it out"
            )
        return self

    def in_batches(self) -> bool:
        return self.answer_params.batch

    def prices(self) -> Prices | None:
        if not self.asks_endpoint():
            return None
        params = self.answer_params
        return Prices(*map(_decimal, (params.price_in, params.price_out, params.budget)))

    def cost_sentence(self, requests: int, tokens: int, most: str = "") -> str:
        """Return the cost of these requests, whose texts have about `tokens`. `most` says that they may be fewer."""
        params = self.answer_params
        told = f"{most}{counted(requests, 'request')} to {self.model}, about {tokens:,} tokens to read"
        if params.price_in is None and params.price_out is None:
            return f"{told}; params.price_in and price_out (of a million tokens) give the price"
        price = tokens * (params.price_in or 0) + requests * ANSWER_TOKENS * (params.price_out or 0)
        return f"{told}, about {price / 1e6:,.2f} in the currency of params.price_in and price_out"


def _decimal(amount: float | None) -> Decimal | None:
    return None if amount is None else Decimal(str(amount))
