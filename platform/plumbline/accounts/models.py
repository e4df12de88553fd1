"""The activity log. A trigger of the database refuses changes and deletions of its rows."""

from typing import ClassVar

import pgtrigger
from django.db import models


class Activity(models.TextChoices):
    SIGN_IN = "sign_in", "signed in"
    SIGN_IN_REFUSED = "sign_in_refused", "sign-in refused"
    SIGN_OUT = "sign_out", "signed out"
    ROLE = "role", "role or right changed"
    EXPORT = "export", "exported"
    DELETION = "deletion", "deleted"
    TOKEN = "token", "API token made or revoked"


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
    address = models.GenericIPAddressField("network address", null=True, help_text="Of sign-ins only")

    class Meta:
        ordering: ClassVar = ["-at", "-id"]
        verbose_name = "activity"
        verbose_name_plural = "activity log"
        default_permissions = ("view",)
        triggers: ClassVar = [
            pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return f"{self.get_activity_display()} {self.at:%Y-%m-%d %H:%M}"
