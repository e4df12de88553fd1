"""The user's faults. Each message is one line that names the fault and the remedy."""


class InputError(ValueError):
    """The input is wrong; the message says what is wrong and what to do. Commands end with exit status 2."""

    def __init__(self, message: str) -> None:
        super().__init__(" ".join(message.split()))


class SpecError(InputError):
    """The audit spec is wrong."""


class ModelError(InputError):
    """The model cannot be used: missing, pickled, gated, of the wrong kind, or broken."""


class OutOfMemoryError(ModelError):
    """The model, or one input alone, does not fit into memory. On a larger or emptier machine it may."""
