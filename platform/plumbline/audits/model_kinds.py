"""The kind of a model, as far as it is known before a run loads it."""

from plumbline.audits.models import ModelCheck
from plumbline.audits.states import WorkState
from plumbline.spec.bundled_models import BUNDLED_MODELS, bundled_model
from plumbline.spec.errors import SpecError
from plumbline.spec.reference import Scheme, answers_in_text

KINDS = {
    "masked": "masked",
    "causal": "causal",
    "multiple_choice": "multiple-choice",
    "text_to_text": "text-to-text",
    "encoder": "encoder",
    "static": "word vectors",
    "remote": "remote endpoints",
    "answers": "imported answers",
}
"""The name of each kind on pages."""


def kind_of(model: str) -> str:
    """Return the kind of a bundled model or endpoint, or that which the latest check found; "" if unknown."""
    if found := bundled_model(model):
        return found.kind
    try:
        if answers_in_text(model):
            return "remote"
    except SpecError:
        return ""
    checks = ModelCheck.objects.filter(model__reference=model, state=WorkState.DONE).exclude(kind="")
    return checks.order_by("-pk").values_list("kind", flat=True).first() or ""


def models_of_kind(kind: str) -> set[str]:
    """Return the references of the bundled models of a kind, and of those that a check found to be of it."""
    bundled = {f"{Scheme.BUNDLED}:{name}" for name, one in BUNDLED_MODELS.items() if one.kind == kind}
    checks = ModelCheck.objects.filter(state=WorkState.DONE, kind=kind)
    return bundled | set(checks.values_list("model__reference", flat=True))
