"""The admin site. It is open to every role and shows what the role's permissions allow."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from csp.constants import SELF, UNSAFE_EVAL
from csp.decorators import csp_update
from django.contrib.admin.options import TO_FIELD_VAR
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import BadRequest, PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.utils.decorators import method_decorator
from unfold.sites import UnfoldAdminSite

from plumbline.pages.roles import has_role

EVAL_FOR_ALPINE = {"script-src": [SELF, UNSAFE_EVAL], "style-src": [SELF, "'unsafe-inline'"]}
"""The Content-Security-Policy of the admin's theme, whose Alpine evaluates expressions and sets styles."""


class Site(UnfoldAdminSite):
    site_header = site_title = "Plumbline"
    index_title = "Curating"
    index_template = "admin/curating_home.html"

    def has_permission(self, request: HttpRequest) -> bool:
        """Return whether the user has a role. Django's `is_staff` is enough, too."""
        return has_role(request.user) or bool(super().has_permission(request))

    @method_decorator(login_not_required)
    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Show the login page, or 403 to a logged-in user without access."""
        if request.user.is_authenticated and not self.has_permission(request):
            raise PermissionDenied
        from plumbline.desk.accounts.sign_in import SignIn

        page: Any = SignIn.as_view(next_page="admin:index")
        answer: HttpResponse = page(request)
        return answer

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Show the lists, what changed lately and what waits for curators; all tables to admins only."""
        # Only now: the site is made before the models are loaded.
        from plumbline.desk.curating_home import list_rows, recent_changes, seen_kinds, waiting_tasks

        kinds = seen_kinds(request.user)
        lists = list_rows(kinds)
        home = {
            "lists": lists,
            "recent": recent_changes(kinds),
            "tasks": waiting_tasks(kinds, lists),
            "is_admin": request.user.has_perm("auth.change_user"),
        }
        answer: HttpResponse = super().index(request, {**home, **(extra_context or {})})
        return answer

    def admin_view(self, view: Callable[..., Any], cacheable: bool = False) -> Callable[..., Any]:
        inner: Callable[..., Any] = super().admin_view(_with_named_fields(view), cacheable)
        relaxed: Callable[..., Any] = csp_update(EVAL_FOR_ALPINE)(inner)
        return relaxed


def _with_named_fields(view: Callable[..., Any]) -> Callable[..., Any]:
    """Refuse an empty name of a field, which Django's admin looks up without a check."""

    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **options: Any) -> Any:
        if "" in (request.GET.get(TO_FIELD_VAR), request.POST.get(TO_FIELD_VAR)):
            raise BadRequest(f"{TO_FIELD_VAR} names no field.")
        return view(request, *args, **options)

    return checked
