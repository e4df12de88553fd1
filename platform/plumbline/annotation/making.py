"""Creation of tasks, whose items are frozen and shuffled by a seed."""

import random
from collections.abc import Sequence
from typing import Any

from django.db import transaction

from plumbline.annotation.models import AnnotationItem, AnnotationTask


@transaction.atomic
def make(task: AnnotationTask, items: Sequence[tuple[dict[str, Any], dict[str, Any]]], seed: int) -> AnnotationTask:
    """Create the task with its items, shuffled. Each item is (shown content, hidden origin)."""
    task.save()
    shuffled = list(items)
    random.Random(seed).shuffle(shuffled)  # noqa: S311 -- an order that can be made again, no secret
    AnnotationItem.objects.bulk_create(
        AnnotationItem(task=task, position=place, content=content, origin=origin)
        for place, (content, origin) in enumerate(shuffled)
    )
    return task
