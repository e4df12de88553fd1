"""Annotations as CSV files with a description. No text in them is a formula."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl
from django.http import HttpResponse

from plumbline.annotation.models import AnnotationTask
from plumbline.pages import grid
from plumbline.pages.responses import csv_attachment

CAVEAT = "Words are a model's associations and their traits are readings of annotators: neither says what people are."


def task_file(task: AnnotationTask, rows: Sequence[Mapping[str, Any]], caveat: str = CAVEAT) -> HttpResponse:
    """Return the rows, which share their keys, as an attachment."""
    frame = pl.DataFrame(list(rows), infer_schema_length=None)
    source = {"bank": task.chosen["bank"]} if "bank" in task.chosen else {"run": str(task.run_id or "gone")}
    about = {"title": task.title, **source, "task": str(task.pk), "caveat": caveat}
    text = grid.file(frame, about | {"rows": str(frame.height)})
    return csv_attachment(text, f"annotation-{task.pk}.csv")
