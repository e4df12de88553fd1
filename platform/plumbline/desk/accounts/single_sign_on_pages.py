"""The two addresses of single sign-on: the way to the provider, and the way back. Without settings there are none."""

from collections.abc import Callable
from functools import wraps

import structlog
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from plumbline.accounts import identity_provider, single_sign_on
from plumbline.accounts.identity_provider import ProviderError
from plumbline.accounts.log import record
from plumbline.accounts.models import Activity
from plumbline.accounts.single_sign_on import WAY, RefusedError
from plumbline.desk.accounts.sign_in import continue_sign_in

NOT_BEGUN = "This sign-in was not begun in this browser, or too long ago, or it was used already. Begin again."
FAILED = "The identity provider did not answer, or its answer could not be checked. Try again later."
CANCELLED = "The identity provider did not sign you in."

log = structlog.get_logger(__name__)
View = Callable[[HttpRequest], HttpResponse]


def of_single_sign_on(view: View) -> View:
    """Return a view that is open to everybody, where single sign-on is set, and that answers failures by a page."""

    @require_GET
    @login_not_required
    @never_cache
    @wraps(view)
    def checked(request: HttpRequest) -> HttpResponse:
        if not identity_provider.is_set():
            raise Http404("Single sign-on is not set.")
        try:
            return view(request)
        except ProviderError as failure:
            log.warning("single sign-on failed", why=str(failure))
            return refusal(request, FAILED, 502)
        except RefusedError as refused:
            return refusal(request, str(refused), 403, refused.account)

    return checked


@of_single_sign_on
def single_sign_on_begin(request: HttpRequest) -> HttpResponse:
    to = request.GET.get("next", "")
    is_here = url_has_allowed_host_and_scheme(to, {request.get_host()}, require_https=request.is_secure())
    to = to if is_here else resolve_url(settings.LOGIN_REDIRECT_URL)
    return redirect(to) if request.user.is_authenticated else identity_provider.begin(request, to)


@of_single_sign_on
def single_sign_on_callback(request: HttpRequest) -> HttpResponse:
    """Admit the person about whom the provider's code tells."""
    state = identity_provider.stashed_state(request)
    if state is None:
        return refusal(request, NOT_BEGUN, 400)
    if "error" in request.GET or "code" not in request.GET:
        return refusal(request, CANCELLED, 403)
    person = single_sign_on.admitted(identity_provider.claims_of(request, state))
    person.backend = "django.contrib.auth.backends.ModelBackend"
    return continue_sign_in(request, person, state["next"], WAY)


def refusal(request: HttpRequest, why: str, status: int, account: int | None = None) -> HttpResponse:
    """Record a refused sign-in and show why. The log has the account's number and no address that was given."""
    record(Activity.SIGN_IN_REFUSED, f"{WAY}: {why}", account=account, request=request, person=None)
    return render(request, "registration/single_sign_on_refused.html", {"why": why}, status=status)
