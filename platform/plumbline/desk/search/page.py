"""The page of the search, and its hits alone for the box in the head of each page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from plumbline.desk.search.hits import LONGEST, SHORTEST, is_number, search
from plumbline.desk.search.sources import SOURCES
from plumbline.pages.roles import viewers_only


@require_safe
@viewers_only
@never_cache
def search_page(request: HttpRequest) -> HttpResponse:
    """Show what holds `?q=`. With `?hits=1` return the list of hits alone."""
    text = request.GET.get("q", "").strip()[:LONGEST]
    context = {
        "text": text,
        "found": search(text, SOURCES, request.user),
        "is_short": len(text) < SHORTEST and not is_number(text),
        "shortest": SHORTEST,
    }
    return render(request, "desk/search_hits.html" if request.GET.get("hits") else "desk/search.html", context)
