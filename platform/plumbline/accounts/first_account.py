"""The first account of an installation: by a signed link that works once and for a day, while there is no account."""

from datetime import timedelta

from django.contrib.auth.models import Group, User
from django.core import signing
from django.db import connection, transaction

from plumbline.accounts.log import record
from plumbline.accounts.models import Activity, ActivityEntry
from plumbline.accounts.role_changes import ACCOUNT_CREATED
from plumbline.spec.errors import InputError

SALT = "plumbline.accounts.first_account"
LIFE = timedelta(hours=24)
ROLE = "admin"
EXISTS = "an account exists already. Somebody with the role admin can invite you."


def is_missing() -> bool:
    """Return whether the installation has no account yet."""
    return not User.objects.exists()


def new_token() -> str:
    """Return the token of a new link. It counts the accounts ever created, so a used link stays used."""
    return signing.dumps(_ever_created(), salt=SALT)


def is_valid(token: str) -> bool:
    """Return whether a link's token is ours, is young enough, and was made since the last account was created."""
    try:
        created = signing.loads(token, salt=SALT, max_age=LIFE)
    except signing.BadSignature:
        return False
    return is_missing() and created == _ever_created()


@transaction.atomic
def create(person: User) -> None:
    """Store the first account with the role admin. Raises InputError if an account exists."""
    with connection.cursor() as cursor:
        # Of two people with a link, one waits here and is refused.
        cursor.execute("LOCK TABLE auth_user IN SHARE ROW EXCLUSIVE MODE")
    if not is_missing():
        raise InputError(EXISTS)
    person.save()
    person.groups.set(Group.objects.filter(name=ROLE))
    record(Activity.INVITATION, "first account made", account=person.pk)


def _ever_created() -> int:
    """Return the number of accounts ever created: the activity log keeps its entries."""
    return ActivityEntry.objects.filter(activity=Activity.ROLE, about=ACCOUNT_CREATED).count()
