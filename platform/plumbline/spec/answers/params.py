"""Params of answers in text, which chat endpoints give, and causal models in their own chat template."""

from collections.abc import Mapping, Set
from typing import Annotated, Any, Literal, Self

from pydantic import Field, field_validator, model_validator

from plumbline.spec.field_kinds import CAUSAL, IN_TEXT, PARSED, REMOTE
from plumbline.spec.sources import Strict

REMOTE_PARAMS = {"concurrency", "attempts", "timeout", "price_in", "price_out", "budget", "batch"}
"""Params that change no answer."""
ANSWERING = {
    *("parser", "few_shot", "generate", "max_tokens", "system", "instruction", "extra_body", "chat_template_kwargs"),
    "temperature",
}
"""Params that change answers. At their defaults they are no part of content keys, which earlier releases computed."""
TEMPLATE = "chat_template_kwargs"
FIXED_FIELDS = {"model", "messages", "temperature", "seed", "max_tokens", "max_completion_tokens", "stream", "n"}
"""Fields of a request that the audit sets."""

OF_THE_ENGINE = {
    *("conversation", "messages", "tools", "documents", "chat_template", "add_generation_prompt", "tokenize"),
    *("continue_final_message", "padding", "truncation", "max_length", "return_tensors", "return_dict"),
    *("return_assistant_tokens_mask", "tokenizer_kwargs"),
}
"""Arguments of chat templates that whoever applies the template sets."""

_IDLE = {"scoring", "prompt", "listed", "extra_body", *REMOTE_PARAMS}
"""Params of likelihoods and of requests, on which no answer depends that a model here writes."""


class ParsedParams(Strict):
    parser: Annotated[Literal["forms", "exact"], PARSED] = "forms"
    """How the option that an answer in text names is found: by the forms of real answers, or an exact text."""
    few_shot: Annotated[int, Field(ge=0, le=20), IN_TEXT] = 0
    """The number of worked examples from `few_shot_bank` before each question of a chat."""


class AnswerParams(ParsedParams):
    generate: Annotated[bool, CAUSAL] = False
    """Let a causal model write its answer, in its own chat template. It is parsed as an endpoint's answer is."""
    max_tokens: Annotated[int, Field(ge=1, le=100_000), IN_TEXT] = 32
    """The most tokens of an answer in text, its reasoning included."""
    system: Annotated[str, Field(max_length=10_000), IN_TEXT] = ""
    """The system's turn of a chat."""
    instruction: Annotated[str, Field(max_length=10_000), IN_TEXT] = ""
    """What the model is told in a chat below the options; empty: to answer with one letter only."""
    extra_body: Mapping[str, Any] = {}
    """Further fields of each request to a remote endpoint, such as reasoning_effort."""
    chat_template_kwargs: Mapping[str, Any] = {}
    """Variables of the model's own chat template, such as enable_thinking: false."""
    temperature: Annotated[float, Field(ge=0, le=2), IN_TEXT] = 0.0
    """The temperature of answers in text; 0: without chance, as far as an endpoint allows it."""
    concurrency: Annotated[int, Field(ge=1, le=64), REMOTE] = 4
    """The number of requests to a remote endpoint at a time."""
    attempts: Annotated[int, Field(ge=1, le=20), REMOTE] = 6
    """Attempts of one request, with growing pauses between them."""
    timeout: Annotated[float, Field(gt=0, le=600), REMOTE] = 60.0
    """The time limit of one request, in seconds."""
    price_in: Annotated[float, Field(ge=0), REMOTE] | None = None
    """The price of a million tokens that the endpoint reads, in any currency."""
    price_out: Annotated[float, Field(ge=0), REMOTE] | None = None
    budget: Annotated[float, Field(gt=0), REMOTE] | None = None
    """The most that one run may cost, in the currency of the prices. The run stops before it costs more."""
    batch: Annotated[bool, REMOTE] = False
    """Send the requests in batches, which endpoints answer later and cheaper. The prices are then those of batches."""

    @model_validator(mode="after")
    def _generated(self) -> Self:
        if self.generate and (idle := sorted(_IDLE & self._chosen())):
            raise ValueError(f"{idle[0]} has no effect on an answer that a model here writes (generate): leave it out")
        return self

    def _chosen(self) -> Set[str]:
        return self.model_dump(exclude_defaults=True).keys()

    @field_validator("extra_body")
    @classmethod
    def _free_fields(cls, given: Mapping[str, Any]) -> Mapping[str, Any]:
        if taken := sorted(given.keys() & FIXED_FIELDS):
            raise ValueError(f"{taken[0]!r} is set by the audit itself; use its own param, or leave it out")
        return given

    @field_validator(TEMPLATE)
    @classmethod
    def _free_variables(cls, given: Mapping[str, Any]) -> Mapping[str, Any]:
        if taken := sorted(given.keys() & OF_THE_ENGINE):
            raise ValueError(f"{taken[0]!r} is set by the audit itself; leave it out")
        return given

    @model_validator(mode="after")
    def _template_once(self) -> Self:
        if self.chat_template_kwargs and TEMPLATE in self.extra_body:
            raise ValueError(f"{TEMPLATE} stands in extra_body, too: leave it out there")
        return self

    @model_validator(mode="after")
    def _priced(self) -> Self:
        if self.budget is not None and self.price_in is None and self.price_out is None:
            raise ValueError("budget needs price_in and price_out, the prices of a million tokens")
        return self

    @model_validator(mode="after")
    def _without_concurrency(self) -> Self:
        if self.batch and self.concurrency != AnswerParams.model_fields["concurrency"].default:
            raise ValueError(
                "concurrency is nothing to batches, which the endpoint works off at its own pace: leave it out"
            )
        return self
