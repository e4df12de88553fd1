"""The models that come with the installation: the kind of each, and what a reader must know of it."""

from dataclasses import dataclass

DEMONSTRATION = "A small model for demonstration: draw no conclusions about other models from it."


@dataclass(frozen=True, slots=True)
class BundledModel:
    """What is known of a bundled model before a worker loads it."""

    kind: str
    remark: str = ""
    """What a reader must know before reading its figures, as one sentence; "" for nothing."""


BUNDLED_MODELS = {
    "smollm2-135m": BundledModel("causal"),
    "masked-demo": BundledModel("masked", DEMONSTRATION),
    "mcq-demo": BundledModel("multiple_choice", DEMONSTRATION),
}
_PREFIX = "bundled:"


def bundled_model(reference: str) -> BundledModel | None:
    """Return the bundled model of a reference, or None if the reference names none."""
    return BUNDLED_MODELS.get(reference.removeprefix(_PREFIX)) if reference.startswith(_PREFIX) else None


def remark_on(reference: str) -> str:
    """Return what a reader must know of a model, as one sentence, or ""."""
    found = bundled_model(reference)
    return found.remark if found else ""
