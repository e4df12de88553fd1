"""Params of a BBQ audit."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from plumbline.spec.answers import params as shared
from plumbline.spec.answers.params import AnswerParams, ParsedParams
from plumbline.spec.field_kinds import CAUSAL, IN_TEXT, TEXT_TO_TEXT
from plumbline.spec.sources import Strict

SUMMARY_PARAMS = {"resamples", "permutations", "level", "fewest_templates"}
ANSWERING = {"samples", *shared.ANSWERING}
"""Params of answers in text. At their defaults they are no part of content keys, which earlier releases computed."""


class _QuestionParams(Strict):
    variant: Literal["paper"] = "paper"
    question_only: bool = False
    """Leave the context out (the paper's baseline); UNKNOWN is then always right."""
    layout: Annotated[Literal["race", "arc"], TEXT_TO_TEXT] = "race"
    """How a text-to-text model reads question, options and context: the formats of UnifiedQA."""
    scoring: Annotated[Literal["mean_token", "sum", "mean_byte", "pmi", "letter"], CAUSAL] = "mean_token"
    """How a causal model chooses: by the likelihood of each option's text, or of its letter."""
    prompt: Annotated[Literal["plain", "chat"], CAUSAL] = "plain"
    """Whether a causal model reads the question as plain text or in its own chat template."""
    listed: Annotated[bool, CAUSAL] = False
    """Show a causal model the options before it scores their texts; letters always show them."""
    orders: Literal["given", "cyclic", "all"] = "given"
    """The orders in which listed options are asked: as in the bank, each option once at each place, or all six."""
    resamples: Annotated[int, Field(ge=100, le=100_000)] = 1000
    permutations: Annotated[int, Field(ge=99, le=1_000_000)] = 9999
    level: Annotated[float, Field(gt=0.5, lt=1.0)] = 0.95
    fewest_templates: Annotated[int, Field(ge=2, le=100)] = 8
    """The number of templates below which there is no interval and no test."""


class _SampleParams(ParsedParams):
    samples: Annotated[int, Field(ge=1, le=100), IN_TEXT] = 1
    """How often each question is asked in a chat. The share of answers is the probability of an option."""


class BbqParams(AnswerParams, _SampleParams, _QuestionParams):
    """How questions are asked and measured, then the params of answers in text."""

    @model_validator(mode="after")
    def _samples_by_chance(self) -> Self:
        if self.samples > 1 and not self.temperature:
            raise ValueError("samples above 1 need a temperature above 0; without chance all samples are alike")
        return self
