"""The deletion of a run's records with the run, since no foreign key joins the planes, and of old replies."""

from datetime import timedelta
from typing import Any

import structlog
from django.conf import settings
from django.db.models.signals import post_delete
from django.dispatch import receiver

from plumbline.audits.clock import now
from plumbline.audits.models import Run
from plumbline.audits.sweep import swept
from plumbline.results import partitions, replies

log = structlog.get_logger(__name__)


@receiver(post_delete, sender=Run)
def forget_records(instance: Run, **_: Any) -> None:
    """Delete the records in the same transaction. The shards are gone by then, so no worker can load records."""
    partitions.forget(instance.pk)
    replies.forget(instance.pk)


@receiver(swept)
def forget_old_replies(**_: Any) -> None:
    """Delete the whole answers in text that are older than the setting allows. Their classes stay."""
    if days := settings.REPLIES_DAYS:
        gone = replies.forget_before(now() - timedelta(days=days))
        if gone:
            log.info("deleted old answers in text", replies=gone, days=days)
