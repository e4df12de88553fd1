"""Whether a method can ask a model, as far as the model's kind is known before a run loads it."""

from typing import Any

from plumbline.audits.model_kinds import KINDS, kind_of
from plumbline.desk.plans.builder.drafts import FIRST_METHOD
from plumbline.spec.registry import PROBES
from plumbline.spec.several_models import model_names

BEGINNERS = (FIRST_METHOD, "bbq", "weat")
"""The methods to begin with, in this order. The associations are the subject of Plumbline and need curated lists alone.
BBQ asks models that answer questions by published questions, and WEAT compares vectors by two lists of words."""


def method_for(model: str) -> str:
    """Return the method that a new plan for the model begins with: the first of BEGINNERS, then of all, that fits."""
    kind = kind_of(model)
    return next((probe for probe in (*BEGINNERS, *PROBES) if not kind or kind in _takes(probe)), FIRST_METHOD)


def kind_of_first(data: Any) -> str:
    """Return the kind of the first model of plain data, or "" if it names none or nobody knows."""
    named = model_names(data)
    return kind_of(named[0]) if named else ""


def misfit(data: Any) -> str:
    """Return why the method of plain data cannot ask its first model, or "" if it can or if nobody knows."""
    named = model_names(data)
    probe = str(data["probe"]) if named and data.get("probe") in PROBES else ""
    kind = kind_of(named[0]) if probe else ""
    if not kind or kind in _takes(probe):
        return ""
    takes = ", ".join(KINDS.get(one, one) for one in _takes(probe))
    return (
        f"{named[0]} is of the kind “{KINDS.get(kind, kind)}”. This method takes the kinds {takes}."
        " Choose another method or another model."
    )


def _takes(probe: str) -> tuple[str, ...]:
    return PROBES[probe].card.model_kinds
