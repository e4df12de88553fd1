"""Tables of pages as CSV files with a description. No text in them is a formula."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl
from django.http import HttpResponse

from plumbline.audits.models import Run
from plumbline.pages import grid
from plumbline.pages.responses import csv_attachment
from plumbline.spec.card import Statistic
from plumbline.spec.measure import Measure

CAVEAT = "This says what the model associates, not what people are; a difference near zero is no proof of fairness."


def measure_rows(measures: Sequence[Measure]) -> list[dict[str, Any]]:
    names = [name for name in Measure.__dataclass_fields__ if name != "familywise_p_value"]
    return [{name: getattr(one, name) for name in names} for one in measures]


def measure_file(
    run: Run, table: str, rows: Sequence[Mapping[str, Any]], statistics: Sequence[Statistic] = ()
) -> HttpResponse:
    """Return the rows, which share their keys, as a CSV attachment."""
    frame = pl.DataFrame(list(rows), infer_schema_length=None)
    caveats = " ".join([*(one.caveat for one in statistics), CAVEAT])
    about = {"title": f"{table}: {run.name}", "run": str(run.pk), "model": run.model}
    about |= {"date": f"{run.finished_at:%Y-%m-%d}" if run.finished_at else "not finished"}
    about |= {"unit": "; ".join(f"{one.name}: {one.unit}" for one in statistics), "caveat": caveats}
    text = grid.file(frame, about | {"rows": str(frame.height)})
    return csv_attachment(text, f"run-{run.pk}-{table}.csv")
