"""Logging in with a password, which PASSWORD_LOGIN=0 leaves to superusers, so that nobody is locked out."""

from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest


class PasswordsOfSuperusers:
    """Stand before the backend that checks passwords, and refuse all others where they are switched off.

    It has no `get_user`, because nobody is ever logged in by it.
    """

    def authenticate(self, request: HttpRequest | None, username: str | None = None, **credentials: Any) -> None:
        """Raise PermissionDenied for everybody but superusers. A refusal takes as long as a wrong password."""
        if settings.PASSWORD_LOGIN or User.objects.filter(username=username, is_superuser=True).exists():
            return
        User().set_password(str(credentials.get("password", "")))
        raise PermissionDenied
