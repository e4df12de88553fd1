"""Limits on wrong passwords: five for a name from an address, and some more from an address over all names.

Without the second limit, somebody could try one common password with each name.
"""

from typing import Any

from axes.attempts import get_cool_off_threshold
from axes.handlers.database import AxesDatabaseHandler
from axes.models import AccessAttempt
from django.conf import settings
from django.db.models import Sum
from django.http import HttpRequest

from plumbline import proxies


class AddressHandler(AxesDatabaseHandler):
    """Also lock an address from which many wrong passwords came, whatever the names."""

    def get_failures(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> int:
        """Return the wrong passwords of the name at the address, or the limit if the address is locked."""
        found = int(super().get_failures(request, credentials))
        locked = _of_address(request) >= settings.WRONG_PASSWORDS_PER_ADDRESS
        return max(found, settings.AXES_FAILURE_LIMIT) if locked else found


def _of_address(request: Any) -> int:
    """Return the wrong passwords of the last quarter of an hour from the request's address."""
    recent = AccessAttempt.objects.filter(
        ip_address=request.axes_ip_address, attempt_time__gte=get_cool_off_threshold(request)
    )
    return recent.aggregate(total=Sum("failures_since_start"))["total"] or 0


def site_address(request: HttpRequest) -> str | None:
    """Return the visitor's address, or the first address of its network for IPv6."""
    address = proxies.client_address(request)
    return address and str(proxies.site(address).network_address)
