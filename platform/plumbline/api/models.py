"""Tokens of the API, and the launches that were requested with them."""

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models

from plumbline.api.scopes import Scope

MANAGE = "api.manage_tokens"
"""The permission to see and revoke the tokens of everybody, and to make tokens for machines."""


class Token(models.Model):
    """A token. Its secret is shown once; the database has its digest.

    A token without a person belongs to a machine. The deletion of a person deletes their tokens.
    """

    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the secret")
    hint = models.CharField(max_length=20, help_text="The first characters of the secret, to recognise it")
    name = models.CharField(max_length=100, help_text="What uses it, such as: nightly export")
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="api_tokens"
    )
    scopes = ArrayField(models.CharField(max_length=10, choices=Scope.choices))
    made_by = models.BigIntegerField(help_text="The account's number; 0: the command line")
    made_name = models.CharField(max_length=150, help_text="The name of that day of who made it")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)
    window_began_at = models.DateTimeField(null=True, blank=True, help_text="Of the current minute of its rate limit")
    window_requests = models.PositiveIntegerField(default=0)

    class Meta:
        ordering: ClassVar = ["-id"]
        default_permissions = ("view",)
        permissions: ClassVar = [("manage_tokens", "Can see and revoke all API tokens and make tokens for machines")]
        indexes: ClassVar = [models.Index(fields=["person"], name="token_of_person")]

    def __str__(self) -> str:
        return f"{self.name} ({self.hint}...)"


class LaunchRequest(models.Model):
    """A launch that a client requested under a key of its own. A repeated request returns the same runs."""

    token = models.ForeignKey(Token, on_delete=models.CASCADE, related_name="launches")
    key = models.CharField(max_length=100)
    digest = models.CharField(max_length=64, help_text="SHA-256 of what was requested")
    runs = ArrayField(models.BigIntegerField(), default=list)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        default_permissions = ("view",)
        constraints: ClassVar = [models.UniqueConstraint(fields=["token", "key"], name="launch_request_once")]

    def __str__(self) -> str:
        return self.key
