"""The author of a change, as it is recorded: a person by number and by the name of that day, or a command."""

import getpass
from collections.abc import Iterable, Mapping
from typing import Any

import pghistory
from django.contrib.auth import get_user_model
from django.http import HttpRequest
from pghistory import middleware


def name_of(person: Any) -> str | None:
    """Return the login name of a user; None for nobody."""
    return person.get_username() if person is not None and getattr(person, "pk", None) else None


class NamedRequest(middleware.WSGIRequest):  # type: ignore[misc] # the package has no types
    """A request whose user may change on the way, by a login or by a token.

    The recorded name changes with the number.
    """

    def __setattr__(self, attribute: str, value: Any) -> None:
        if attribute == "user":
            pghistory.context(username=name_of(value))
        super().__setattr__(attribute, value)


class HistoryMiddleware(middleware.HistoryMiddleware):  # type: ignore[misc] # the package has no types
    """Middleware that records the user's name with the number: a renamed or deleted account keeps its changes."""

    def __init__(self, get_response: Any) -> None:
        def named(request: HttpRequest) -> Any:
            if isinstance(request, middleware.WSGIRequest):
                request.__class__ = NamedRequest
            return get_response(request)

        super().__init__(named)

    def get_context(self, request: HttpRequest) -> dict[str, Any]:
        return {**super().get_context(request), "username": name_of(getattr(request, "user", None))}


def names_now(contexts: Iterable[Any]) -> dict[int, str]:
    """Return the present names of the people of these contexts, by number. Deleted people are left out."""
    ids = {context.metadata.get("user") for context in contexts if context} - {None}
    people = get_user_model()
    return dict(people._default_manager.filter(pk__in=ids).values_list("pk", people.USERNAME_FIELD))


def author_name(context: Any, now: Mapping[int, str]) -> str:
    """Return the author as recorded: a user, a command, or an empty text."""
    known = context.metadata if context else {}
    if number := known.get("user"):
        return _person(number, known.get("username") or "", now.get(number, ""))
    if known.get("command"):
        return f"command {known['command']}" + (f" by {known['os_user']}" if known.get("os_user") else "")
    return "not known (not by a page or a command)"


def _person(number: int, then: str, now: str) -> str:
    """Return the user's recorded name, otherwise the present one: early changes recorded the number alone."""
    if not now:
        return f"{then or f'user {number}'}, deleted since"
    return f"{now}, then called {then}" if then and then != now else now


def os_user() -> str:
    """Return the name of the user who runs this process; empty if the machine has no name for it."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return ""
