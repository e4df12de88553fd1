"""The entries of sign-ins, refused sign-ins and sign-outs."""

from typing import Any

import structlog
from django.contrib.auth import get_user_model
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.dispatch import receiver
from django.http import HttpRequest

from plumbline import proxies
from plumbline.accounts.log import recent, record
from plumbline.accounts.models import Activity

WAY = "plumbline_way_of_sign_in"
MOST_REFUSED = 100
"""The most refused sign-ins of one site that the log takes in 15 minutes."""

log = structlog.get_logger(__name__)


def set_way(request: HttpRequest, way: str) -> None:
    """Say how the person of this request signs in, for the entry of the log."""
    setattr(request, WAY, way)


def way_of(request: HttpRequest) -> str:
    return str(getattr(request, WAY, ""))


@receiver(user_logged_in)
def record_sign_in(request: HttpRequest, user: Any, **_: Any) -> None:
    record(Activity.SIGN_IN, way_of(request), account=user.pk, request=request, person=user.pk)


@receiver(user_logged_out)
def record_sign_out(request: HttpRequest, user: Any, **_: Any) -> None:
    if user is not None:
        record(Activity.SIGN_OUT, account=user.pk, request=request, person=user.pk)


@receiver(user_login_failed)
def record_refusal(credentials: dict[str, Any], request: HttpRequest | None = None, **_: Any) -> None:
    """Record the number of the account that was tried. The typed name is not kept: it may be a password.

    Of one site the log takes a limited number, or anybody could fill a log that nobody may empty. Wrong codes of the
    second factor are always recorded, because their entries are counted.
    """
    if request is not None and "reason" not in credentials and _refused_lately(request) >= MOST_REFUSED:
        log.warning(
            "a refused sign-in is not recorded: many were from its address", address=proxies.client_address(request)
        )
        return
    people = get_user_model()
    name = str(credentials.get(people.USERNAME_FIELD) or "")
    tried = people._default_manager.filter(**{people.USERNAME_FIELD: name}).values_list("pk", flat=True).first()
    about = credentials.get("reason", "") if tried else "no account has the name that was typed"
    record(Activity.SIGN_IN_REFUSED, about, account=tried, request=request, person=None)


def _refused_lately(request: HttpRequest) -> int:
    address = proxies.client_address(request)
    if address is None:
        return 0
    site = proxies.site(address)
    of_site = recent(activity=Activity.SIGN_IN_REFUSED, address__gte=str(site[0]), address__lte=str(site[-1]))
    return of_site.count()
