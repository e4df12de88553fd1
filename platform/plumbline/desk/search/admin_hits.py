"""The hits of the search in the admin's own box, which Ctrl+K opens there."""

from django.http import HttpRequest
from unfold.dataclasses import SearchResult

from plumbline.desk.search.hits import LONGEST, search
from plumbline.desk.search.sources import SOURCES


def admin_hits(request: HttpRequest, text: str) -> list[SearchResult]:
    """Return the hits that the person may see. The box adds pages of the admin itself."""
    wanted = text.strip()[:LONGEST]
    return [
        SearchResult(hit.title, f"{kind.name}{', ' if hit.note else ''}{hit.note}", hit.address, None)
        for kind in search(wanted, SOURCES, request.user)
        for hit in kind.hits
    ]
