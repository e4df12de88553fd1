"""What is known of a model besides its audits: its kind and its latest check."""

from dataclasses import dataclass

from plumbline.audits.model_kinds import KINDS, kind_of
from plumbline.audits.models import ModelCheck, ModelUnderAudit, Run

MOST_NAMED = 3
UNCHECKED = (
    "No worker has checked this model yet. A check shows before an audit whether the model loads and which kind it is."
)


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """`kind` is the name of the kind on pages, or "" if unknown. `check` is a sentence, or ""."""

    kind: str
    check: str
    needs_check: bool = False
    """Whether no check loaded the model or waits to do so."""


def model_facts(reference: str, known: ModelUnderAudit | None) -> ModelFacts:
    """Return the facts about a model. One that is not under audit has no check."""
    kind, latest = kind_of(reference), _latest(known)
    needs = known is not None and (latest is None or (latest.answered and bool(latest.error)))
    return ModelFacts(KINDS.get(kind, kind), _told(latest) if known else "", needs)


def same_weights(reference: str) -> list[str]:
    """Return other references under which models of the same weights were audited, as the runs recorded them."""
    latest = (
        Run.objects.filter(model=reference, provenance__digest__isnull=False).only("provenance").order_by("-pk").first()
    )
    if latest is None:
        return []
    others = Run.objects.filter(provenance__digest=latest.provenance["digest"]).exclude(model=reference)
    return list(others.order_by("model").values_list("model", flat=True).distinct()[:MOST_NAMED])


def _latest(known: ModelUnderAudit | None) -> ModelCheck | None:
    return ModelCheck.objects.filter(model=known).order_by("-pk").first() if known else None


def _told(latest: ModelCheck | None) -> str:
    if latest is None:
        return UNCHECKED
    if not latest.answered:
        return "Its check waits for a worker." if latest.token is None else "A worker is checking it now."
    when = f" of {latest.done_at:%Y-%m-%d}" if latest.done_at else ""
    if latest.error:
        return f"The latest check{when} failed: {latest.error.rstrip('.')}."
    return f"The latest check{when} loaded the model."
