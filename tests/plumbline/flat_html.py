"""Pages as a browser lays them out: where a template's line ends has no part in what a test finds on a page."""

import re
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

KEPT = re.compile(r"(<(pre|textarea|script|style)\b.*?</\2>)", re.DOTALL)
BLOCKS = (
    "p|h[1-6]|div|section|form|fieldset|details|summary|ul|ol|li|dl|dt|dd|table|caption|t(?:head|body|r|h|d)|option"
)
DRAWN = "g|line|rect|circle|path|text|title|polyline"
OWN_LINE = re.compile(rf" ?(</?(?:{BLOCKS}|{DRAWN})\b[^>]*>) ?")


def flat(html: str) -> str:
    """White space with a line's end becomes one space, and none beside what stands on lines of its own."""
    pieces = KEPT.split(html)
    # Between two pieces stand the one that is kept and the name of its tag.
    return "".join(piece if at % 3 == 1 else _flat(piece) for at, piece in enumerate(pieces) if at % 3 != 2)


def _flat(html: str) -> str:
    return OWN_LINE.sub(r"\1", re.sub(r" +>", ">", re.sub(r"\s*\n\s*", " ", html)))


def flat_pages(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware for tests."""

    def answered(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if not response.streaming and response.headers.get("Content-Type", "").startswith("text/html"):
            response.content = flat(response.content.decode()).encode()
        return response

    return answered
