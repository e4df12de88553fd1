"""Walk through pages: ask addresses, follow the links of their answers, and collect what does not answer."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from html import unescape
from typing import Any
from urllib.parse import urljoin, urlsplit

from django.test import Client
from django.urls import Resolver404, resolve

OFFERED = (200, 302)
"""What a page answers that somebody was led to."""
REFUSED = (400, 403, 404, 405)
"""And one that nobody was: it lacks its query, is not for this person, lacks the thing, or only takes what is sent."""
PDF = "_report_pdf"
"""How the names of addresses end that make a PDF of an HTML report, which takes seconds: the HTML is asked instead."""
LINK = re.compile(r'\b(?:href|src|data-url)="([^"]+)"')


@dataclass
class Walk:
    """One person's walk over addresses, and over those behind their links that `within` allows; by default none.

    Of links that differ in their query alone, the first is followed.
    """

    client: Client
    within: Callable[[str], bool] | None = None
    troubles: list[str] = field(default_factory=list)
    met: set[str] = field(default_factory=set)
    """Names of the addresses that answered with a page."""
    _seen: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.client.raise_request_exception = False

    def over(self, addresses: Iterable[str], *, offered: bool = False) -> None:
        """Ask them, then whatever their pages lead to. What is `offered` must answer, as every link must."""
        waiting = [(address, offered) for address in addresses if offered or address not in self._seen]
        self._seen.update(urlsplit(address).path for address, _ in waiting)
        while waiting:
            address, expected = waiting.pop()
            for link in self._ask(address, expected):
                if (path := urlsplit(link).path) not in self._seen:
                    self._seen.add(path)
                    waiting.append((link, True))

    def _ask(self, address: str, expected: bool) -> list[str]:
        answer: Any = self.client.get(address)
        if answer.status_code not in (OFFERED if expected else OFFERED + REFUSED):
            self.troubles.append(f"{address}: {answer.status_code} {_why(answer)}".strip())
        if answer.status_code in OFFERED:
            self.met.add(name_of(address))
        links = _links(address, answer) if self.within else []
        return [link for link in links if self.within and self.within(urlsplit(link).path) and _is_asked(link)]


def _why(answer: Any) -> str:
    """The exception that broke a page."""
    found = getattr(answer, "exc_info", None)
    return f"{found[0].__name__}: {found[1]}" if found else ""


def name_of(link: str) -> str:
    """Of the desk's or the admin's address; empty for a link that leads elsewhere."""
    try:
        return str(resolve(urlsplit(link).path).url_name)
    except Resolver404:
        return ""


def _is_asked(link: str) -> bool:
    name = name_of(link)
    return bool(name) and not name.endswith(PDF)


def _links(address: str, answer: Any) -> list[str]:
    if answer.streaming:
        answer.getvalue()
        return []
    if not str(answer.get("Content-Type", "")).startswith("text/html"):
        return []
    found = LINK.findall(answer.content.decode())
    return [urljoin(address, unescape(link)).partition("#")[0] for link in found]
