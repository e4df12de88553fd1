"""Params of a BBQ audit."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import Field, field_validator, model_validator

from plumbline.spec.sources import Strict

SUMMARY_PARAMS = {"resamples", "permutations", "level", "fewest_templates"}
REMOTE_PARAMS = {"concurrency", "attempts", "timeout", "price_in", "price_out", "budget"}
"""Params that change no answer."""
ANSWERING = {"parser", "max_tokens", "system", "instruction", "extra_body"}
"""Params of answers in text. At their defaults they are no part of content keys, which earlier releases computed."""
FIXED_FIELDS = {"model", "messages", "temperature", "seed", "max_tokens", "max_completion_tokens", "stream", "n"}
"""Fields of a request that the audit sets."""


class BbqParams(Strict):
    variant: Literal["paper"] = "paper"
    question_only: bool = False
    """Leave the context out (the paper's baseline); UNKNOWN is then always right."""
    layout: Literal["race", "arc"] = "race"
    """How a text-to-text model reads question, options and context: the formats of UnifiedQA."""
    scoring: Literal["mean_token", "sum", "mean_byte", "pmi", "letter"] = "mean_token"
    """How a causal model chooses: by the likelihood of each option's text, or of its letter."""
    prompt: Literal["plain", "chat"] = "plain"
    """Whether a causal model reads the question as plain text or in its own chat template."""
    listed: bool = False
    """Show a causal model the options before it scores their texts; letters always show them."""
    orders: Literal["given", "cyclic", "all"] = "given"
    """The orders in which listed options are asked: as in the bank, each option once at each place, or all six."""
    resamples: Annotated[int, Field(ge=100, le=100_000)] = 1000
    permutations: Annotated[int, Field(ge=99, le=1_000_000)] = 9999
    level: Annotated[float, Field(gt=0.5, lt=1.0)] = 0.95
    fewest_templates: Annotated[int, Field(ge=2, le=100)] = 8
    """The number of templates below which there is no interval and no test."""
    parser: Literal["forms", "exact"] = "forms"
    """How the option that a remote endpoint's answer names is found: by the forms of real answers, or an exact text."""
    max_tokens: Annotated[int, Field(ge=1, le=100_000)] = 32
    """The most tokens of a remote endpoint's answer, its reasoning included."""
    system: Annotated[str, Field(max_length=10_000)] = ""
    """The system's turn of a chat with a remote endpoint."""
    instruction: Annotated[str, Field(max_length=10_000)] = ""
    """What a remote endpoint is told below the options; empty: to answer with one letter only."""
    extra_body: Mapping[str, Any] = {}
    """Further fields of each request to a remote endpoint, such as chat_template_kwargs or reasoning_effort."""
    concurrency: Annotated[int, Field(ge=1, le=64)] = 4
    """The number of requests to a remote endpoint at a time."""
    attempts: Annotated[int, Field(ge=1, le=20)] = 6
    """Attempts of one request, with growing pauses between them."""
    timeout: Annotated[float, Field(gt=0, le=600)] = 60.0
    """The time limit of one request, in seconds."""
    price_in: Annotated[float, Field(ge=0)] | None = None
    """The price of a million tokens that the endpoint reads, in any currency."""
    price_out: Annotated[float, Field(ge=0)] | None = None
    budget: Annotated[float, Field(gt=0)] | None = None
    """The most that one run may cost, in the currency of the prices. The run stops before it costs more."""

    @field_validator("extra_body")
    @classmethod
    def _free_fields(cls, given: Mapping[str, Any]) -> Mapping[str, Any]:
        if taken := sorted(given.keys() & FIXED_FIELDS):
            raise ValueError(f"{taken[0]!r} is set by the audit itself; use its own param, or leave it out")
        return given

    @model_validator(mode="after")
    def _priced(self) -> Self:
        if self.budget is not None and self.price_in is None and self.price_out is None:
            raise ValueError("budget needs price_in and price_out, the prices of a million tokens")
        return self
