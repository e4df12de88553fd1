"""What goes with a row that goes."""

from typing import Any

from django.db.models.signals import post_delete
from django.dispatch import receiver

from plumbline.audits.models import AddedWord, Run


@receiver(post_delete, sender=AddedWord)
def forget_small_run(instance: AddedWord, **_: Any) -> None:
    """A small run rests on the records of the run that it adds to: without that run nobody can read it."""
    Run.objects.filter(pk=instance.small_id).delete()
