"""Wrong secrets that were given for an account. The activity log counts them, over all web processes."""

from datetime import timedelta

from django.contrib.auth.models import User
from django.utils import timezone

from plumbline.accounts.models import ActivityEntry

PERIOD = timedelta(minutes=15)


def lately(person: User, about: str) -> int:
    """Return the entries of the last 15 minutes that say this about the account."""
    return ActivityEntry.objects.filter(account=person.pk, about=about, at__gte=timezone.now() - PERIOD).count()
