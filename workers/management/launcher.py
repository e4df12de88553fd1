"""The person who launches by a command: named by `--as`, or for the whole machine by PLUMBLINE_USER."""

import os

from django.contrib.auth.models import User

from plumbline.spec.errors import InputError

VARIABLE = "PLUMBLINE_USER"


def launcher(named: str | None) -> User | None:
    """Return the account, or None if nobody is named: such a run cannot be signed off. Raises InputError."""
    name = named or os.environ.get(VARIABLE, "")
    if not name:
        return None
    found = User.objects.filter(username=name, is_active=True).first()
    if found is None:
        source = "--as" if named else VARIABLE
        raise InputError(f"{source} names {name!r}, which is no active account: 'person list' shows them.")
    return found
