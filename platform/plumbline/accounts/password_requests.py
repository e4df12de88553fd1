"""Limits on requests of new passwords, counted in the activity log."""

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import HttpRequest

from plumbline import proxies
from plumbline.accounts.log import recent, record
from plumbline.accounts.models import Activity, ActivityEntry

MOST_OF_AN_ADDRESS = 10
"""Requests from one network address in 15 minutes, whatever the mail addresses."""
MOST_OF_AN_ACCOUNT = 3
"""Mails to one account in 15 minutes, wherever the requests come from."""
REQUESTED = "link to a new password requested"
UNKNOWN = "link to a new password requested for an address that no account has"


def is_over(request: HttpRequest) -> bool:
    """Return whether too many requests came from this network address."""
    address = proxies.client_address(request)
    return _recent().filter(address=address).count() >= MOST_OF_AN_ADDRESS


def admit(request: HttpRequest, accounts: list[User]) -> list[User]:
    """Record the request and return the accounts that get a mail: those that did not get too many."""
    if not accounts:
        record(Activity.PASSWORD, UNKNOWN, request=request, person=None)
    admitted = [one for one in accounts if _recent().filter(account=one.pk).count() < MOST_OF_AN_ACCOUNT]
    for one in accounts:
        record(Activity.PASSWORD, REQUESTED, account=one.pk, request=request, person=None)
    return admitted


def _recent() -> QuerySet[ActivityEntry]:
    return recent(activity=Activity.PASSWORD, about__in=[REQUESTED, UNKNOWN])
