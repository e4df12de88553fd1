"""Ending the sessions of a person in all browsers."""

from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session


def end_sessions(person: User) -> int:
    """Delete the sessions of the person and return their number. Their content is encoded, so each one is read."""
    keys = [one.session_key for one in Session.objects.iterator() if _is_of(one, person)]
    Session.objects.filter(session_key__in=keys).delete()
    return len(keys)


def _is_of(session: Session, person: User) -> bool:
    return str(session.get_decoded().get(SESSION_KEY, "")) == str(person.pk)
