"""What a run reads of a model for each item."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reading:
    """What a run read of the model for each item, with the target named and with the prior."""

    name: str
    what: str


LOG_P = Reading("log p", "natural logarithm of a probability")
