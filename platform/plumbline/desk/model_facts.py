"""What is known of a model besides its audits: its kind, its latest check, and what a reader must know of it."""

from dataclasses import dataclass

from plumbline.audits.model_kinds import KINDS, kind_of
from plumbline.audits.models import ModelCheck, ModelUnderAudit
from plumbline.spec.bundled_models import remark_on


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """`kind` is the name of the kind on pages, or "" if unknown. The others are sentences, or ""."""

    kind: str
    check: str
    remark: str


def model_facts(reference: str, known: ModelUnderAudit | None) -> ModelFacts:
    """Return the facts about a model. One that is not under audit has no check."""
    kind = kind_of(reference)
    return ModelFacts(KINDS.get(kind, kind), _check(known) if known else "", remark_on(reference))


def _check(known: ModelUnderAudit) -> str:
    latest = ModelCheck.objects.filter(model=known).order_by("-pk").first()
    if latest is None:
        return "No worker has checked this model yet."
    if not latest.answered:
        return "Its check waits for a worker." if latest.token is None else "A worker is checking it now."
    when = f" of {latest.done_at:%Y-%m-%d}" if latest.done_at else ""
    if latest.error:
        return f"The latest check{when} failed: {latest.error.rstrip('.')}."
    return f"The latest check{when} loaded the model."
