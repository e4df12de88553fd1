"""The activity log, whose rows the database protects by triggers, and open invitations."""

from typing import ClassVar

import pgtrigger
from django.contrib.auth.models import Group
from django.db import models
from django.db.models.functions import Lower


class Activity(models.TextChoices):
    SIGN_IN = "sign_in", "signed in"
    SIGN_IN_REFUSED = "sign_in_refused", "sign-in refused"
    SIGN_OUT = "sign_out", "signed out"
    ROLE = "role", "role or right changed"
    EXPORT = "export", "exported"
    DELETION = "deletion", "deleted"
    TOKEN = "token", "API token made or revoked"
    INVITATION = "invitation", "invitation"
    PASSWORD = "password", "password reset"
    SECOND_FACTOR = "second_factor", "second factor"
    LEFT = "left", "person left"


class ActivityEntry(models.Model):
    """One activity.

    It holds numbers of accounts and not their names: names change, and a row that nobody may change must not keep an
    old one. Only entries of commands name somebody, the user of the machine. There are no foreign keys, since the
    deletion of an account would have to change the rows.
    """

    at = models.DateTimeField(auto_now_add=True, db_index=True)
    activity = models.CharField(max_length=20, choices=Activity.choices)
    person = models.BigIntegerField("number of the person", null=True, help_text="Empty: nobody was signed in")
    command = models.CharField(max_length=200, blank=True, help_text="The command that did it, and who ran it")
    account = models.BigIntegerField("number of the account concerned", null=True)
    about = models.CharField(max_length=300, blank=True)
    address = models.GenericIPAddressField(
        "network address", null=True, help_text="Of sign-ins and requests of new passwords"
    )

    class Meta:
        ordering: ClassVar = ["-at", "-id"]
        verbose_name = "activity"
        verbose_name_plural = "activity log"
        default_permissions = ("view",)
        triggers: ClassVar = [
            pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete),
            pgtrigger.Trigger(
                name="no_truncate",
                level=pgtrigger.Statement,
                when=pgtrigger.Before,
                operation=pgtrigger.Truncate,
                func="RAISE EXCEPTION 'The activity log stays: TRUNCATE of % is refused', TG_TABLE_NAME;",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_activity_display()} {self.at:%Y-%m-%d %H:%M}"


class Invitation(models.Model):
    """An open invitation. It is deleted when it is accepted or withdrawn, so no address stays without an account.

    `sent_count` is part of the signed link: each new link makes the ones before it invalid.
    """

    email = models.EmailField("mail address")
    roles = models.ManyToManyField(Group, related_name="+")
    invited_by = models.BigIntegerField("number of the person who invited", null=True)
    created_at = models.DateTimeField(auto_now_add=True)
    sent_at = models.DateTimeField("when the last link was made", null=True)
    sent_count = models.PositiveIntegerField("number of links made", default=0)

    class Meta:
        ordering: ClassVar = ["-id"]
        default_permissions = ()
        constraints: ClassVar = [models.UniqueConstraint(Lower("email"), name="invitation_once_an_address")]

    def __str__(self) -> str:
        return f"invitation {self.pk}"
