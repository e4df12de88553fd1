"""What workers and schedulers write: it is shown, and nobody edits it."""

from typing import Any

from django.http import HttpRequest


class ReadOnly:
    """Shown to who may view; added, changed or deleted by nobody."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
