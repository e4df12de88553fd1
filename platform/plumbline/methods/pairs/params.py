"""The params of pairs of sentences."""

from typing import Annotated

from pydantic import Field

from plumbline.methods.pairs.scores import Score
from plumbline.spec.sources import Strict

SUMMARY_PARAMS = {"level"}


class PairsParams(Strict):
    """The scores or templates of GEST that a run computes. The default is all that the kind of model has."""

    scores: Annotated[tuple[Score, ...], Field(min_length=1, strict=False)] | None = None
    templates: Annotated[tuple[Annotated[int, Field(ge=0)], ...], Field(min_length=1, strict=False)] | None = None
    level: Annotated[float, Field(gt=0.5, lt=1.0)] = 0.95
