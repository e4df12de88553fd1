"""The error for a model that answers NaN."""

from plumbline.spec.errors import ModelError
from workers.probes.protocol import Model


def broken_weights(model: Model, instead_of: str) -> ModelError:
    """Return the error, which names the model and the missing numbers."""
    return ModelError(
        f"{model.checkpoint.reference} answers NaN in place of {instead_of}: its weights are broken, or too large for"
        " the dtype; fetch it again, or use dtype float32."
    )
