"""Versions of the mapping: its whole content by digest, so that a report names what it used."""

from typing import Any

from plumbline.reports.models import Framework, MappingVersion, Provision
from plumbline.spec.digests import digest
from plumbline.spec.errors import InputError

OF_FRAMEWORK = ("slug", "title", "issuer", "source", "note")
OF_PROVISION = ("number", "title", "at_most", "needs", "supports", "lacks")
SHORT = 12
"""The digits of a digest that a report prints."""


def used_version(wanted: str = "") -> MappingVersion:
    """Return the version that begins with `wanted`, or today's, which is stored if it is new.

    Raises InputError for a version that is unknown or not unique.
    """
    return _named(wanted) if wanted else current_version()


def current_version() -> MappingVersion:
    content = {"frameworks": [_content(one) for one in _active()]}
    made, _ = MappingVersion.objects.get_or_create(sha256=digest(content), defaults={"content": content})
    return made


def _named(wanted: str) -> MappingVersion:
    found = list(MappingVersion.objects.filter(sha256__startswith=wanted.strip().lower())[:2])
    if len(found) != 1:
        why = "no version of the mapping begins with" if not found else "several versions of the mapping begin with"
        raise InputError(f"{why} {wanted!r}: give the digits that the report prints.")
    return found[0]


def _active() -> list[Framework]:
    return list(Framework.objects.filter(is_active=True).prefetch_related("provisions"))


def _content(one: Framework) -> dict[str, Any]:
    provisions = [_entry(each) for each in one.provisions.all() if each.is_active]
    return {**{name: getattr(one, name) for name in OF_FRAMEWORK}, "as_of": f"{one.as_of}", "provisions": provisions}


def _entry(one: Provision) -> dict[str, Any]:
    return {name: getattr(one, name) for name in OF_PROVISION}
