"""How pages name models, and what they say of a model before its figures."""

from collections import Counter
from functools import cached_property

from django.http import HttpRequest

from plumbline.audits.models import ModelUnderAudit, Variant
from plumbline.spec.bundled_models import remark_on


class ModelNames:
    """The titles of all models in one query: by the title that people gave, otherwise by the reference."""

    def __init__(self) -> None:
        given = dict(ModelUnderAudit.objects.exclude(title="").values_list("reference", "title"))
        often = Counter(given.values())
        named = {reference: _one(reference, title, often[title]) for reference, title in given.items()}
        # Findings name a model without its revision.
        without = Counter(_without_revision(reference) for reference in named)
        bare = {key: named[one] for one in named if without[key := _without_revision(one)] == 1}
        self._names = bare | named

    def name(self, reference: str) -> str:
        """Return the title of the model, with the reference if several share the title; or the reference."""
        return self._names.get(reference, reference)

    def remark(self, reference: str) -> str:
        """Return what a reader must know of a model, or of what a variant was made of, as one sentence, or ""."""
        seen: set[str] = set()
        while reference.startswith("variant:") and reference not in seen:
            seen.add(reference)
            reference = self._parents.get(reference, "")
        return remark_on(reference)

    @cached_property
    def _parents(self) -> dict[str, str]:
        """The model that each variant was made of, also of removed ones. One query, on pages of variants alone."""
        return {f"variant:{slug}": parent for slug, parent in Variant.objects.values_list("slug", "card__parent")}


def model_names(request: HttpRequest | None) -> ModelNames:
    """Return the names of models. A request reads them once, however many models its page names."""
    if request is None:
        return ModelNames()
    if "model_names" not in request.__dict__:
        request.__dict__["model_names"] = ModelNames()
    found: ModelNames = request.__dict__["model_names"]
    return found


def _one(reference: str, title: str, often: int) -> str:
    return title if often == 1 else f"{title} ({reference})"


def _without_revision(reference: str) -> str:
    return reference.partition("@")[0]
