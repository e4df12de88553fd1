"""The fault of a model that answers NaN."""

from plumbline.spec.errors import ModelError
from workers.probes.protocol import Model


def broken_weights(model: Model, instead_of: str) -> ModelError:
    """Return the error that names the model and says what it did not give."""
    return ModelError(
        f"{model.checkpoint.reference} answers NaN in place of {instead_of}: its weights are broken, or too large for"
        " the dtype; fetch it anew, or use dtype float32."
    )
