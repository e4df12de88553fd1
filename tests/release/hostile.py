"""Values that no form sends, and the addresses and parameters that take them."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch
from urllib.parse import parse_qsl
from zlib import crc32

from django.contrib import admin
from django.db import transaction
from django.http import QueryDict
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.urls.resolvers import RoutePattern

from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from tests.release.addresses import OF_A_RUN, all_addresses, values_of
from tests.release.drawers import drawers

VALUES: dict[str, str | bytes] = {
    "a word": "x",
    "nothing": "",
    "NUL": "a\x00b",
    "a huge number": "9" * 30,
    "a negative number": "-1",
    "no number": "NaN",
    "infinity": "1e999",
    "digits of another script": "٣²",
    "quotes": "'\"\\;--",
    "a format": "%s%(a)s{0}{{x}}{%x%}",
    "a lone surrogate": b"\xed\xa0\x80",
    "invisible characters": "\u202e\u200b\ufeff\x1b",
    "a path": "../../../../etc/passwd",
    "a long text": "a" * 7000,
    "deep JSON": "[" * 3000,
    "JSON without a number": '{"a": NaN, "a": 1}',
    "a date": "2026-02-30T25:00",
}
IN_ADDRESSES = {
    "IntConverter": ("0", "9" * 10, "9" * 30),
    "SlugConverter": ("nowhere", "a" * 2000, "-"),
    "StringConverter": ("a%00b", "%ED%A0%80", "%E2%80%AE", "9" * 30, "a" * 2000, "%25s", "'"),
    "PathConverter": ("a%00b", "x", "9" * 30, "..%2F..%2Fetc", "_0A", "_00", "_ED_A0_80"),
}
PLAIN = {"IntConverter": "1", "SlugConverter": "nowhere", "StringConverter": "x", "PathConverter": "ROW"}
LEFT_OUT = ("/logout/", "/admin/logout/")
OF_LISTS = ("q", "o", "p", "all", "e", "_facets", "_popup", "_to_field", "_changelist_filters", "pk__in", "id__gt")
"""Parameters that each list of the admin takes, beside those of its filters."""
READ = ("__getitem__", "get", "getlist", "__contains__")


@contextmanager
def recorded(keys: set[str]) -> Iterator[None]:
    """Note which parameters a page reads."""

    def noting(name: str) -> Any:
        read = getattr(QueryDict, name)

        def note(self: QueryDict, key: Any, *rest: Any, **options: Any) -> Any:
            keys.update([key] if isinstance(key, str) else [])
            return read(self, key, *rest, **options)

        return patch.object(QueryDict, name, note)

    with ExitStack() as stack:
        for name in READ:
            stack.enter_context(noting(name))
        yield


@dataclass
class Attack:
    """One person's requests with one hostile value, and what broke. What a request changes is undone."""

    client: Client
    value: str
    asked: int = 0
    met: set[str] = field(default_factory=set)
    """The parameters that the value, or another one, was sent in."""
    troubles: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.client.raise_request_exception = False

    def on(self, address: str, query: dict[str, str], *, sampled: bool = False) -> None:
        """Send the value in each parameter that the page reads, by both methods.

        A sample is the parameters that no page before it has read, or one of the others.
        """
        for method in ("get", "post"):
            keys = set(query) | (_of_filters(address) if method == "get" else set())
            with recorded(keys):
                if self.send(method, address, query) == 405:
                    continue
            for key in self._chosen(address, keys) if sampled else self._in_order(address, keys):
                self.send(method, address, {**query, key: VALUES[self.value]})

    def _chosen(self, address: str, keys: set[str]) -> list[str]:
        found = self._in_order(address, keys)
        new = [key for key in found if key not in self.met]
        self.met.update(new)
        return new or found[:1]

    def _in_order(self, address: str, keys: set[str]) -> list[str]:
        """Return the parameters in an order that a digest of address and value decides."""
        sent = keys - {"csrfmiddlewaretoken"}
        return sorted(sent, key=lambda key: crc32(f"{address} {key} {self.value}".encode()))

    def send(self, method: str, address: str, data: dict[str, Any]) -> int:
        self.asked += 1
        with transaction.atomic():
            answer: Any = getattr(self.client, method)(address, data)
            if answer.streaming:
                answer.getvalue()
            transaction.set_rollback(True)
        if answer.status_code >= 500:
            raised = getattr(answer, "exc_info", None) or (None, "")
            self.troubles.append(f"{method} {address[:120]} {str(data)[:120]}: {raised[0]} {str(raised[1])[:200]}")
        return int(answer.status_code)


def _of_filters(address: str) -> set[str]:
    for model, one in admin.site._registry.items():
        if address == reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist"):
            named = (getattr(each, "parameter_name", each) for each in one.list_filter)
            fields = [each[0] if isinstance(each, tuple) else each for each in named if each]
            return {*OF_LISTS, *(f"{each}{way}" for each in fields for way in ("", "__exact", "__id__exact"))}
    return set()


def of_the_desk(client: Client) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield each address of the desk that the data answer, with the query of a part of a page."""
    runs = {run.probe: run for run in Run.objects.filter(state=RunState.DONE).order_by("-pk")}.values()
    parts = {part.partition("?")[0]: _query(part) for run in runs for part in drawers(run)}
    for one in all_addresses():
        if one.route.startswith(OF_A_RUN) and one.parameters == {"number"}:
            asked = [reverse(one.name, args=[run.pk]) for run in runs]
            found = next((each for each in asked if client.get(each, parts.get(each, {})).status_code == 200), asked[0])
            yield found, parts.get(found, {})
        elif values := values_of(one):
            yield reverse(one.name, kwargs=values[0]), {}


def _query(address: str) -> dict[str, str]:
    return dict(parse_qsl(address.partition("?")[2]))


def of_the_admin() -> Iterator[str]:
    """Yield each address of the admin, with the newest row of a table where it takes one."""
    newest = {
        f"/admin/{model._meta.app_label}/{model._meta.model_name}/": model._default_manager.order_by("-pk").first()
        for model in admin.site._registry
    }
    for address in concrete(PLAIN):
        if address.startswith("/admin/"):
            row = next((row for begin, row in newest.items() if address.startswith(begin)), None)
            yield address.replace("ROW", str(row.pk if row else 999999))


def concrete(samples: dict[str, str]) -> Iterator[str]:
    """Yield every address of the resolver with these values in the place of its parameters."""
    yield from _concrete(get_resolver(), "/", samples)


def _concrete(resolver: URLResolver, before: str, samples: dict[str, str]) -> Iterator[str]:
    for pattern in resolver.url_patterns:
        address = before + _filled(pattern.pattern, samples)
        if isinstance(pattern, URLResolver):
            yield from _concrete(pattern, address, samples)
        elif isinstance(pattern, URLPattern) and isinstance(pattern.pattern, RoutePattern):
            yield address


def _filled(pattern: Any, samples: dict[str, str]) -> str:
    text = str(pattern).removeprefix("^")
    for name, converter in pattern.converters.items():
        (part,) = (part for part in text.split("<")[1:] if part.split(">")[0].split(":")[-1] == name)
        text = text.replace(f"<{part.split('>')[0]}>", samples[type(converter).__name__])
    return text
