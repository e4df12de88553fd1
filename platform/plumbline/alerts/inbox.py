"""The inbox of a person: alerts since the account was made, and which of them are unread."""

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, QuerySet

from plumbline.alerts.models import Alert, Reading


def alerts_of(person: User) -> QuerySet[Alert]:
    """Return the alerts that a person can read, the newest first, each with `is_read`."""
    read = Reading.objects.filter(alert=OuterRef("pk"), person=person)
    return Alert.objects.filter(created_at__gte=person.date_joined).annotate(is_read=Exists(read)).order_by("-pk")


def unread(person: User) -> int:
    return alerts_of(person).exclude(readings__person=person).count()


def mark_read(person: User, chosen: QuerySet[Alert]) -> int:
    """Mark alerts as read and return their number."""
    rows = [Reading(alert_id=pk, person=person) for pk in chosen.values_list("pk", flat=True)]
    Reading.objects.bulk_create(rows, ignore_conflicts=True)
    return len(rows)


def mark_unread(person: User, chosen: QuerySet[Alert]) -> int:
    marked, _ = Reading.objects.filter(person=person, alert__in=chosen).delete()
    return marked
