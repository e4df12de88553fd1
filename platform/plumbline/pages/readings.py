"""The values that a run reads from a model for each item."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reading:
    """The value that a run read from the model for each item, for the target and for the prior."""

    name: str
    what: str


LOG_P = Reading("log p", "natural logarithm of a probability")
