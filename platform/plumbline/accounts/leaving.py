"""Pseudonymising a person who leaves: the account stays as a number, and every name of it goes.

What the person did stays connected by that number, so one can still tell whether two decisions are by one person.
"""

from django.contrib.auth.models import User
from django.db import transaction

from plumbline.accounts.leaving_steps import Step, known_names, pseudonym, steps_of
from plumbline.accounts.log import record
from plumbline.accounts.mentions import Mention, mentions_of
from plumbline.accounts.models import Activity
from plumbline.spec.errors import InputError


def has_left(person: User) -> bool:
    return person.get_username() == pseudonym(person.pk)


def preview(person: User) -> list[Step]:
    """Return what `leave` would change. It does so in a transaction that is taken back, so the counts are true."""
    with transaction.atomic():
        steps = steps_of(User.objects.get(pk=person.pk))
        transaction.set_rollback(True)
    return steps


def mentions(person: User) -> list[Mention]:
    """Return the texts that would still mention the person afterwards, since people wrote them."""
    with transaction.atomic():
        wanted = {*known_names(person), person.email, person.get_full_name()} - {""}
        steps_of(User.objects.get(pk=person.pk))
        found = mentions_of(wanted)
        transaction.set_rollback(True)
    return found


@transaction.atomic
def leave(person: User, by: User) -> list[Step]:
    """Pseudonymise the account. Raises InputError for the own account, one that has left, and a
    superuser's, unless another superuser does it."""
    if why := why_not(person, by):
        raise InputError(why)
    steps = steps_of(person)
    record(Activity.LEFT, "the name was replaced everywhere", account=person.pk, person=by.pk)
    return steps


def why_not(person: User, by: User) -> str:
    """Return why the person cannot be pseudonymised; empty if nothing speaks against it. It makes no query.

    One active superuser always stays: the one who pseudonymises another.
    """
    if person.pk == by.pk:
        return "this is your own account; another admin must do it."
    if has_left(person):
        return "this person has left already."
    if person.is_superuser and not (by.is_superuser and by.is_active):
        return "only another active superuser may do this to a superuser."
    return ""
