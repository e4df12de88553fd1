"""The admin's site: open to every role, each of which sees and does there what its permissions say."""

from collections.abc import Callable
from typing import Any

from csp.constants import SELF, UNSAFE_EVAL
from csp.decorators import csp_update
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.utils.decorators import method_decorator
from unfold.sites import UnfoldAdminSite

from plumbline.pages.roles import has_role

EVAL_FOR_ALPINE = {"script-src": [SELF, UNSAFE_EVAL], "style-src": [SELF, "'unsafe-inline'"]}
"""The admin's skin ships Alpine, which evaluates the expressions in its templates and sets styles."""


class Site(UnfoldAdminSite):
    site_header = site_title = "Plumbline"
    index_title = "Vocabularies, audits and results"

    def has_permission(self, request: HttpRequest) -> bool:
        """Roles come in without Django's mark `is_staff`, which does as well."""
        return has_role(request.user) or bool(super().has_permission(request))

    @method_decorator(login_not_required)
    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Who is logged in already, and may not come in, is told so instead of being asked again who they are."""
        if request.user.is_authenticated and not self.has_permission(request):
            raise PermissionDenied
        relaxed: Callable[..., HttpResponse] = csp_update(EVAL_FOR_ALPINE)(super().login)
        return relaxed(request, extra_context)

    def admin_view(self, view: Callable[..., Any], cacheable: bool = False) -> Callable[..., Any]:
        inner: Callable[..., Any] = super().admin_view(view, cacheable)
        relaxed: Callable[..., Any] = csp_update(EVAL_FOR_ALPINE)(inner)
        return relaxed
