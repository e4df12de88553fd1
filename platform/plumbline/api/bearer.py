"""Authentication by token. Cookies of a login count for nothing here, so no other site can use them."""

import math
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from ninja.errors import HttpError
from ninja.security import HttpBearer

from plumbline.api import tokens
from plumbline.api.problems import TooManyRequestsError
from plumbline.api.scopes import NEEDS
from plumbline.api.tokens import Admitted


class Bearer(HttpBearer):
    """The security of an operation: a token with a scope, or with any."""

    def __init__(self, scope: str = "") -> None:
        self.scope = scope
        super().__init__()

    def authenticate(self, request: HttpRequest, token: str) -> Admitted | None:
        """Return the admitted token. Raises HttpError 403 and 429. Changes are recorded as those of its person."""
        admitted = tokens.admit(token)
        if admitted is None:
            return None
        request.user = admitted.user
        if admitted.requests > settings.API_REQUESTS_PER_MINUTE:
            raise TooManyRequestsError(settings.API_REQUESTS_PER_MINUTE, max(1, math.ceil(admitted.seconds_left)))
        if self.scope and not admitted.may(self.scope):
            raise HttpError(403, self._refusal(admitted))
        return admitted

    def _refusal(self, admitted: Admitted) -> str:
        if self.scope not in admitted.token.scopes:
            return f"The token does not have the scope '{self.scope}'. Make a token that has it."
        return f"The account of the token does not have the permission {NEEDS[self.scope]!r} now. An admin gives it."


def admitted(request: Any) -> Admitted:
    """Return the token of a request that Bearer let in."""
    found: Admitted = request.auth
    return found
