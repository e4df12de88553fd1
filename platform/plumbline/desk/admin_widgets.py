"""Choices of the admin by search, for values that somebody sent and no form offers.

Django's widget looks up whatever was sent when it shows a form again with its faults, and breaks on what is no key
(AutocompleteMixin.optgroups, Django 5.2).
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.admin.widgets import AutocompleteMixin
from django.core.exceptions import ValidationError

Optgroups = Callable[..., Any]


def keep_to_keys() -> None:
    """Let the widget look up only what can be a key of its model."""
    AutocompleteMixin.optgroups = _of_keys(AutocompleteMixin.optgroups)  # type: ignore[method-assign]


def _of_keys(optgroups: Optgroups) -> Optgroups:
    @wraps(optgroups)
    def found(self: Any, name: str, value: list[Any], attr: Any = None) -> Any:
        return optgroups(self, name, [one for one in value if _may_be_key(self.field.remote_field, one)], attr)

    return found


def _may_be_key(remote: Any, value: Any) -> bool:
    key = remote.model._meta.get_field(getattr(remote, "field_name", None) or remote.model._meta.pk.attname)
    try:
        key.run_validators(key.to_python(value))
    except (ValidationError, ValueError, TypeError):
        return False
    return "\0" not in str(value)
