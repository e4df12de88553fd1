"""The models that the form offers: first those that load, then those whose latest check failed."""

from django.db.models import F, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce, Length, Sign

from plumbline.audits.models import ModelCheck, ModelUnderAudit
from plumbline.audits.states import WorkState


def offered_models() -> QuerySet[ModelUnderAudit]:
    """Return the models that are not archived. `does_not_load` is 1 for those whose latest answered check failed."""
    checks = ModelCheck.objects.filter(model=OuterRef("pk"), state=WorkState.DONE).order_by("-pk")
    error = Coalesce(Subquery(checks.values("error")[:1]), Value(""))
    known = ModelUnderAudit.objects.filter(archived_at=None).annotate(does_not_load=Sign(Length(error)))
    return known.order_by(F("does_not_load"), "reference")


def models_of_kind(kind: str) -> list[str]:
    """Return the references of the offered models that load and are of this kind, or that nobody checked."""
    checks = ModelCheck.objects.filter(model=OuterRef("pk"), state=WorkState.DONE).order_by("-pk")
    known = offered_models().annotate(kind=Coalesce(Subquery(checks.values("kind")[:1]), Value("")))
    return [one.reference for one in known.filter(kind__in=[kind, ""]) if not vars(one)["does_not_load"]]


def offered_name(model: ModelUnderAudit) -> str:
    """Return how the form names a model that `offered_models` returned."""
    name = f"{model.title} ({model.reference})" if model.title else model.reference
    return f"{name}: does not load" if vars(model)["does_not_load"] else name
