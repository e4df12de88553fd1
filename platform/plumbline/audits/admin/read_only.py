"""A base for the admin of rows that only workers and schedulers write."""

from typing import Any

from django.http import HttpRequest


class ReadOnly:
    """A mixin that shows rows to users with the view permission and lets nobody add, change or delete them."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
