"""Uploads between their preview and their import, stored on the server for an hour as sessions of their own."""

import base64
from dataclasses import dataclass
from datetime import timedelta
from importlib import import_module
from typing import Any

from django.conf import settings
from django.http import HttpRequest

KEPT = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Upload:
    """One file, and the list that its rows go into."""

    name: str
    data: bytes
    slug: str
    title: str
    update: bool
    skip_duplicates: bool = False


def keep(request: HttpRequest, kind: str, upload: Upload) -> str:
    """Store the upload for this session in place of an earlier one of the kind. Return the name of the upload."""
    drop(request, kind)
    store = _store()
    # Nobody comes back for an upload whose hour is over, and Django leaves expired sessions in its table.
    store.clear_expired()
    store["upload"] = {
        "name": upload.name,
        "data": base64.b64encode(upload.data).decode(),
        "slug": upload.slug,
        "title": upload.title,
        "update": upload.update,
        "skip_duplicates": upload.skip_duplicates,
    }
    store.set_expiry(KEPT)
    store.create()
    request.session[_place(kind)] = store.session_key
    return str(store.session_key)


def pending(request: HttpRequest, kind: str) -> tuple[str, Upload] | None:
    """Return the upload of this session with its name; None if there is none, or if its hour is over."""
    key = request.session.get(_place(kind))
    held = _store(key).get("upload") if key else None
    return (str(key), Upload(**{**held, "data": base64.b64decode(held["data"])})) if held else None


def drop(request: HttpRequest, kind: str) -> None:
    """Delete the upload of this session, if there is one."""
    if key := request.session.pop(_place(kind), None):
        _store(key).delete()


def _place(kind: str) -> str:
    return f"upload:{kind}"


def _store(key: str | None = None) -> Any:
    return import_module(settings.SESSION_ENGINE).SessionStore(key)
