"""Every address of the desk and the admin, with values in the place of its parameters that no row has."""

from collections.abc import Iterator
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.urls.resolvers import RoutePattern

SAMPLES = {
    "IntConverter": "999999",
    "SlugConverter": "nowhere",
    "StringConverter": "nowhere",
    "PathConverter": "999999",
}


def desk() -> Iterator[tuple[str, str]]:
    for pattern in get_resolver().url_patterns:
        if isinstance(pattern, URLResolver) and pattern.namespace is None:
            yield from _addresses(pattern, "/" + str(pattern.pattern))


def all_addresses() -> Iterator[str]:
    yield from (address for _, address in _addresses(get_resolver(), "/"))


def _addresses(resolver: URLResolver, prefix: str) -> Iterator[tuple[str, str]]:
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLResolver):
            yield from _addresses(pattern, prefix + _sample(pattern.pattern))
        elif isinstance(pattern, URLPattern) and isinstance(pattern.pattern, RoutePattern):
            yield pattern.name or "", prefix + _sample(pattern.pattern)


def _sample(pattern: Any) -> str:
    text = str(pattern).removeprefix("^")
    for name, converter in pattern.converters.items():
        kind = type(converter).__name__
        (part,) = (part for part in text.split("<")[1:] if part.split(">")[0].split(":")[-1] == name)
        text = text.replace(f"<{part.split('>')[0]}>", SAMPLES[kind])
    return text


def leads_to_login(response: Any) -> bool:
    return response.status_code == 302 and response["Location"].split("?")[0] in (reverse("login"), "/admin/login/")
