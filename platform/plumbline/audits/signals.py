"""Deletions that follow other deletions."""

from typing import Any

from django.db.models.signals import post_delete
from django.dispatch import receiver

from plumbline.audits.models import AddedWord, Run


@receiver(post_delete, sender=AddedWord)
def forget_small_run(instance: AddedWord, **_: Any) -> None:
    """Delete the small run of a deleted added word. It depends on the records of the run that it extends."""
    Run.objects.filter(pk=instance.small_id).delete()
