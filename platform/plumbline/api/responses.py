"""Middleware for all responses of the API: errors as problems, and ETags.

It stands before the middleware that refuses requests, so that those refusals are problems, too.
"""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.http import quote_etag

from plumbline.api.problems import MEDIA_TYPE, NOT_FOUND, write
from plumbline.spec.digests import digest_of_bytes

ROOT = "/api/v1/"
DETAILS = {
    400: "The request is not valid.",
    404: NOT_FOUND,
    405: "This address does not answer this method.",
    411: "The length of the body is not announced.",
    413: "The body is too large.",
    500: "An error of the server. Its log has the reason.",
}


class ApiResponses:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if not request.path_info.startswith(ROOT):
            return response
        if response.status_code >= 400 and response["Content-Type"] != MEDIA_TYPE:
            write(response, DETAILS.get(response.status_code, ""))
        patch_vary_headers(response, ["Authorization"])
        response["Cache-Control"] = "private, no-cache"
        return _conditional(request, response) if response.status_code == 200 else response


def _conditional(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Add the digest of the body as ETag. Answer 304 if the client has this body."""
    if request.method not in ("GET", "HEAD"):
        return response
    etag = quote_etag(digest_of_bytes(response.content))
    response["ETag"] = etag
    kept = get_conditional_response(request, etag, response=response)
    assert isinstance(kept, HttpResponse)  # noqa: S101 -- a response was given
    return kept
