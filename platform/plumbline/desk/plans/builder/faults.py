"""All errors of a spec at once, by the input of the form that they belong to."""

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError as RefusedError
from pydantic import ValidationError

from plumbline.audits.forms import check_spec
from plumbline.spec.errors import SpecError
from plumbline.spec.faults import by_place
from plumbline.spec.registry import PROBES
from plumbline.spec.several_models import for_model, model_names, parse_each

Faults = dict[str, tuple[str, ...]]
"""Messages by input. The key "" holds those of the whole plan."""


def faults_of(data: Any, before: Any) -> Faults:
    """Return the errors of plain data. `before` is the spec that the plan has, whose models may stay."""
    try:
        parse_each(data)
    except SpecError as error:
        return _by_field(data) or {"": (str(error),)}
    try:
        check_spec(data, before)
    except RefusedError as error:
        return {"model": tuple(error.messages)}
    return {}


def _by_field(data: Any) -> Faults:
    if not isinstance(data, Mapping) or data.get("probe") not in PROBES:
        return {}
    named = model_names(data)
    try:
        PROBES[str(data["probe"])].spec.model_validate(for_model(data, named[0]) if named else dict(data))
    except ValidationError as error:
        found: dict[str, list[str]] = {}
        for place, message in by_place(error):
            found.setdefault(_input(place), []).append(_sentence(place, message))
        return {key: tuple(dict.fromkeys(messages)) for key, messages in found.items()}
    return {}


def _input(place: tuple[str, ...]) -> str:
    """Return the key of the input. What contradicts other settings has none: it is of the whole plan."""
    if place[:1] == ("params",):
        return ".".join(place[:2]) if len(place) > 1 else ""
    return place[0] if place else ""


def _sentence(place: tuple[str, ...], message: str) -> str:
    """Return the message, with the keys inside of the input that it is about."""
    inner = [step for step in place[2 if place[:1] == ("params",) else 1 :] if not step.startswith("function-")]
    return f"{'.'.join(inner)}: {message}" if inner else message
