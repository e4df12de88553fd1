"""Errors of the user. Each message is one line that names the fault and the remedy."""


class InputError(ValueError):
    """An error in the input. The message says what is wrong and what to do. Commands exit with status 2."""

    def __init__(self, message: str) -> None:
        super().__init__(" ".join(message.split()))


class SpecError(InputError):
    """An error in the audit spec."""


class ModelError(InputError):
    """A model that cannot be used: missing, pickled, gated, of the wrong kind or broken."""


class OutOfMemoryError(ModelError):
    """A model, or one input, that does not fit into memory. On another machine it may fit."""
