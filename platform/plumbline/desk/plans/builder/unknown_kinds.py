"""Why the kind of a plan's model is unknown before the launch."""

from dataclasses import dataclass
from typing import Any

from plumbline.audits.model_kinds import kind_of
from plumbline.audits.models import ModelCheck, ModelUnderAudit
from plumbline.spec.errors import SpecError
from plumbline.spec.reference import ModelReference, Scheme
from plumbline.spec.several_models import model_names


@dataclass(frozen=True, slots=True)
class UnknownKind:
    """`reason` is the end of a sentence. `model` is the reference of a model that has a page, or ""."""

    reason: str
    model: str


def unknown_kind(data: Any) -> UnknownKind | None:
    """Return why the kind of the first model of plain data is unknown; None if it is known or no model is named."""
    named = model_names(data)
    if not named or kind_of(named[0]) or not _can_be_loaded(named[0]):
        return None
    known = ModelUnderAudit.objects.filter(reference=named[0]).first()
    check = ModelCheck.objects.filter(model=known).order_by("-pk").first() if known else None
    return UnknownKind(_reason(check), known.reference if known else "")


def _can_be_loaded(model: str) -> bool:
    try:
        return ModelReference.parse(model).scheme is not Scheme.ANSWERS
    except SpecError:
        return False


def _reason(check: ModelCheck | None) -> str:
    if check is None:
        return "no worker has checked it"
    if check.answered:
        return "its latest check failed"
    return "its check waits for a worker" if check.token is None else "a worker is checking it"
