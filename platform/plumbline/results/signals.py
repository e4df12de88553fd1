"""The deletion of a run's records with the run, since no foreign key joins the planes."""

from typing import Any

from django.db.models.signals import post_delete
from django.dispatch import receiver

from plumbline.audits.models import Run
from plumbline.results import partitions


@receiver(post_delete, sender=Run)
def forget_records(instance: Run, **_: Any) -> None:
    """Delete the records in the same transaction. The shards are gone by then, so no worker can load records."""
    partitions.forget(instance.pk)
