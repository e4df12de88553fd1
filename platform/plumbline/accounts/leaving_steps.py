"""What changes in the tables when a person leaves, step by step, with the number of rows of each."""

import re
from dataclasses import dataclass
from typing import Any

import pgtrigger
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast
from pghistory.models import Context

from plumbline.accounts.models import Invitation
from plumbline.accounts.names_kept import (
    address_columns,
    decision_columns,
    name_columns,
    private_columns,
    sentence_columns,
)
from plumbline.accounts.sessions import end_sessions

GONE = (EmailAddress, Authenticator)
"""What belongs to the person alone and is deleted: addresses and second factors."""


@dataclass(frozen=True, slots=True)
class Step:
    """One kind of rows that change, and how many they are."""

    what: str
    rows: int


def pseudonym(number: int) -> str:
    return f"Person {number} (left)"


def known_names(person: User) -> set[str]:
    """Return the login names that the records keep of the person, and that no other account has."""
    found = {person.get_username(), *_contexts(person).values_list("metadata__username", flat=True)}
    for column in name_columns():
        rows = column.model._default_manager.filter(**{column.person: person.pk})
        found.update(rows.values_list(column.name, flat=True).distinct())
    same = User.objects.exclude(pk=person.pk).filter(username__in=found - {None})
    others = set(same.values_list("username", flat=True))
    return {name for name in found if name} - others - {pseudonym(person.pk)}


def steps_of(person: User) -> list[Step]:
    names, address = known_names(person), person.email
    with connection.cursor() as cursor:
        # The only change of history that its trigger allows: this person's name against the pseudonym.
        cursor.execute("SELECT set_config('plumbline.person_left', %s, true)", [str(person.pk)])
    with pgtrigger.ignore():
        steps = [
            *_name_steps(person),
            Step("authors in the history", _replace_in_history(person)),
            Step("findings within sign-offs that name the person", _replace_in_decisions(person, names)),
            Step("sentences that end with the name", _replace_in_sentences(person, names)),
            Step("lists of mail addresses without the person's", _drop_address(address)),
        ]
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('plumbline.person_left', '', true)")
    return [one for one in (*steps, *_own_steps(person, names, address)) if one.rows]


def _name_steps(person: User) -> list[Step]:
    name, found = pseudonym(person.pk), []
    for column in name_columns():
        rows = column.model._default_manager.filter(**{column.person: person.pk}).exclude(**{column.name: ""})
        what = f"{column.model._meta.verbose_name_plural}: {column.name.replace('_', ' ')}"
        found.append(Step(what, rows.update(**{column.name: name})))
    return found


def _contexts(person: User) -> QuerySet[Any]:
    found: QuerySet[Any] = Context.objects.filter(metadata__user=person.pk, metadata__has_key="username")
    return found


def _replace_in_history(person: User) -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE pghistory_context SET metadata = jsonb_set(metadata, '{username}', to_jsonb(%s::text))"
            " WHERE (metadata->>'user') = %s AND metadata->>'username' IS NOT NULL",
            [pseudonym(person.pk), str(person.pk)],
        )
        return int(cursor.rowcount)


def _replace_in_decisions(person: User, names: set[str]) -> int:
    changed = 0
    for model, column in decision_columns():
        for row in model._default_manager.filter(pk__in=_mentioning(model, column, names)):
            told = [_renamed(one, names, pseudonym(person.pk)) for one in getattr(row, column)]
            if told != getattr(row, column):
                changed += model._default_manager.filter(pk=row.pk).update(**{column: told})
    return changed


def _mentioning(model: Any, column: str, names: set[str]) -> list[int]:
    """Return the rows whose column contains one of the names somewhere; only these are read."""
    pattern = "|".join(re.escape(one) for one in sorted(names))
    rows = model._default_manager.annotate(as_text=Cast(column, TextField())).filter(as_text__regex=pattern)
    return list(rows.values_list("pk", flat=True)) if names else []


def _renamed(decision: dict[str, Any], names: set[str], new: str) -> dict[str, Any]:
    """Return a finding of a sign-off with the pseudonym in place of the names, and all else as it was."""
    told = dict(decision)
    for key in ("judged_by", "assignee"):
        if told.get(key) in names:
            told[key] = new
    if isinstance(votes := told.get("votes"), dict):
        told["votes"] = {new if voter in names else voter: state for voter, state in votes.items()}
    return told


def _replace_in_sentences(person: User, names: set[str]) -> int:
    changed = 0
    for model, column, before in sentence_columns():
        for name in names:
            rows = model._default_manager.filter(**{column: f"{before}{name}"})
            changed += rows.update(**{column: f"{before}{pseudonym(person.pk)}"})
    return changed


def _drop_address(address: str) -> int:
    """Take the address out of lists of addresses. A list that it was alone in becomes empty."""
    if not address:
        return 0
    changed = 0
    for model, column in address_columns():
        for row in model._default_manager.filter(**{f"{column}__icontains": address}):
            told = getattr(row, column)
            changed += model._default_manager.filter(pk=row.pk).update(**{column: _without(told, address)})
    return changed


def _without(told: Any, address: str) -> Any:
    if isinstance(told, list):
        return [one for one in told if str(one).strip().lower() != address.lower()]
    return "\n".join(line for line in told.splitlines() if line.strip().lower() != address.lower())


def _own_steps(person: User, names: set[str], address: str) -> list[Step]:
    """Delete what is the person's alone, and write the account anew."""
    private = [*((model, "user") for model in GONE), *private_columns()]
    gone = [_deleted(model._default_manager.filter(**{column: person})) for model, column in private]
    typed = [*names, *([address] if address else [])]
    refused = (AccessAttempt, AccessFailureLog, AccessLog)
    attempts = sum(model._default_manager.filter(username__in=typed).delete()[0] for model in refused)
    invited = Invitation.objects.filter(email__iexact=address) if address else Invitation.objects.none()
    return [
        *gone,
        Step("sessions ended", end_sessions(person)),
        Step("sign-ins and refused sign-ins", attempts),
        Step("open invitations of the mail address", invited.delete()[0]),
        Step("entries of the admin's log that name the account", _rename_in_admin_log(person)),
        Step("account", _empty_account(person)),
    ]


def _deleted(rows: QuerySet[Any]) -> Step:
    return Step(f"{rows.model._meta.verbose_name_plural}, deleted", rows.delete()[0])


def _rename_in_admin_log(person: User) -> int:
    kind = ContentType.objects.get_for_model(User)
    entries = LogEntry.objects.filter(content_type=kind, object_id=str(person.pk))
    return entries.update(object_repr=pseudonym(person.pk))


def _empty_account(person: User) -> int:
    person.username = pseudonym(person.pk)
    person.first_name = person.last_name = person.email = ""
    person.is_active = person.is_staff = person.is_superuser = False
    person.set_unusable_password()
    person.last_login = None
    person.groups.clear()
    person.user_permissions.clear()
    person.save()
    return 1
