"""The entries of exports: each file that a page sends, and each export of a command."""

from collections.abc import Callable
from email.message import Message

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from plumbline.accounts.log import record
from plumbline.accounts.models import Activity


class RecordedExports:
    """Middleware that records each answer which the browser saves as a file."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        disposition = response.headers.get("Content-Disposition", "")
        if disposition.startswith("attachment") and response.status_code == 200:
            person = getattr(request, "user", None)
            record(Activity.EXPORT, f"{_filename(disposition)} from {request.path}", person=person and person.pk)
        return response


def _filename(disposition: str) -> str:
    message = Message()
    message["Content-Disposition"] = disposition
    return message.get_filename() or "a file"
