"""How pages name models: by the title that people gave, otherwise by the reference."""

from collections import Counter

from django.http import HttpRequest

from plumbline.audits.models import ModelUnderAudit


class ModelNames:
    """The titles of all models, in one query."""

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
