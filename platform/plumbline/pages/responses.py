"""Answers of views that are no pages."""

import gzip

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers


def compressed(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """The answer as gzip where the browser takes it. Django's own takes ten times as long for a tenth fewer bytes.

    It also hides the length of secrets, of which these answers have none.
    """
    patch_vary_headers(response, ["Accept-Encoding"])
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        response.content = gzip.compress(response.content, compresslevel=1)
        response.headers["Content-Encoding"] = "gzip"
    return response
