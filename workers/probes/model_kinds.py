"""The kinds of model that a probe takes, as its card lists them."""

from plumbline.spec.audit import AuditSpec
from plumbline.spec.errors import ModelError
from plumbline.spec.registry import PROBES
from workers.engine.checkpoint import Checkpoint


def require_kind(spec: AuditSpec, checkpoint: Checkpoint) -> None:
    """Raise ModelError for a model whose kind is not on the card of the spec's probe."""
    kinds = PROBES[spec.probe].card.model_kinds
    if checkpoint.kind not in kinds:
        raise ModelError(
            f"{spec.model} is of the kind {checkpoint.kind}; the probe {spec.probe} takes these kinds:"
            f" {', '.join(kinds)}."
        )
