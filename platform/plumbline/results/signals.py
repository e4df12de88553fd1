"""Nothing crosses the planes by a foreign key, so the store is told when a run goes."""

from typing import Any

from django.db.models.signals import post_delete
from django.dispatch import receiver

from plumbline.audits.models import Run
from plumbline.results import partitions


@receiver(post_delete, sender=Run)
def forget_records(instance: Run, **_: Any) -> None:
    """In the transaction of the deletion, and after the shards went: no worker can end one and load records then."""
    partitions.forget(instance.pk)
