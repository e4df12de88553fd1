"""Scopes: what a token may be used for. Its person's roles limit it further."""

from django.db.models import TextChoices


class Scope(TextChoices):
    READ = "read", "Read: runs, measures, items, findings, words, models and plans"
    LAUNCH = "launch", "Launch: launch plans"
    METRICS = "metrics", "Metrics: figures about the operation, for Prometheus"


NEEDS: dict[str, str] = {
    Scope.READ: "audits.view_run",
    Scope.LAUNCH: "audits.add_run",
    Scope.METRICS: "audits.view_run",
}
"""The permission that a token's person must have at the time of each use."""
