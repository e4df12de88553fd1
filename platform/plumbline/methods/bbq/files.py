"""Several runs of BBQ as one file or picture, with a description of its content."""

from collections.abc import Sequence
from textwrap import wrap
from typing import Any
from urllib.parse import urlencode

import polars as pl
from django.http import HttpResponse

from plumbline.audits.models import Run
from plumbline.methods.bbq.board import Chosen
from plumbline.methods.bbq.card import NEAR_ZERO
from plumbline.methods.bbq.costs import Drawing
from plumbline.methods.bbq.definitions import PAPER
from plumbline.methods.bbq.heatmap import Picture
from plumbline.methods.bbq.variants import Figures
from plumbline.pages import grid
from plumbline.pages.charts.series_markers import SHAPES
from plumbline.pages.measure_file import CAVEAT, measure_rows
from plumbline.pages.responses import csv_attachment
from plumbline.spec.card import Statistic

SIGNS = (
    "▲ the answers follow the stereotype, ▼ they go against it; outlined: the run shows a bias, pale: it shows none, or"
    " did not test it."
)
PIXELS_A_LETTER = 7.2
HEAD, LINE, LETTERS = 56, 18, 104
"""Pixels above the picture's drawing, pixels of a line below it, and the number of letters in such a line."""


def address(runs: Sequence[str], chosen: Chosen) -> str:
    """Return the choices as an address holds them."""
    told: dict[str, Any] = {"runs": runs, "rule": chosen.rule, "flagged": "" if chosen.flagged else "without"}
    told["order"] = "" if chosen.order == "category" else chosen.order
    return urlencode({key: value for key, value in told.items() if value}, doseq=True)


def of_runs(found: Sequence[tuple[Run, Figures]], statistics: Sequence[Statistic]) -> HttpResponse:
    """Return the runs' measures as an attachment, a row a run and measure."""
    rows = [{"run": run.pk, "model": run.model} | row for run, figures in found for row in measure_rows(list(figures))]
    named = {row["statistic"] for row in rows}
    caveats = {one.caveat for one in statistics if one.name in named}
    about = _run_texts([run for run, _ in found], "Bias scores side by side") | {
        "caveat": " ".join([*sorted(caveats), CAVEAT])
    }
    text = grid.file(pl.DataFrame(rows, infer_schema_length=None), about | {"rows": str(len(rows))})
    return csv_attachment(text, f"bbq-runs-{'-'.join(str(run.pk) for run, _ in found)}.csv")


def _run_texts(runs: Sequence[Run], title: str) -> dict[str, str]:
    days = [f"{run.finished_at:%Y-%m-%d}" if run.finished_at else "not finished" for run in runs]
    told = {"title": title, "runs": ", ".join(str(run.pk) for run in runs), "date": ", ".join(days)}
    return told | {"models": ", ".join(run.model for run in runs)}


def costs_picture(runs: Sequence[Run], drawing: Drawing, statistic: Statistic) -> dict[str, Any]:
    """Return the texts around the picture of Figure 2."""
    known = sorted(dot.measure.n for band in drawing.bands for dot in band.dots)
    told = f"{statistic.sentence} {statistic.equation}; {known[0]:,} to {known[-1]:,} answers a dot. {statistic.caveat}"
    labels = _run_texts(runs, "What the stereotype costs in accuracy")
    return {"labels": labels, "drawing": drawing, **_texts_around(runs, drawing.height, told, LETTERS)}


def board_picture(runs: Sequence[Run], drawing: Picture, rule: str) -> dict[str, Any]:
    """Return the texts around the picture of Figure 3."""
    told = f"From -1 to 1; {SIGNS} Definition: {rule or PAPER}. {NEAR_ZERO}"
    return _scores_picture(runs, drawing, "Bias scores by category and context", told)


def heatmap_picture(runs: Sequence[Run], drawing: Picture, about: str, across: str) -> dict[str, Any]:
    """Return the texts around the picture of a heatmap; `about` is its category and context."""
    mean = " The mean of the runs: no interval." if len(runs) > 1 else ""
    told = f"From -1 to 1; {SIGNS}{mean} A cell has few templates. {NEAR_ZERO}"
    return _scores_picture(runs, drawing, f"Bias scores of {about} by label and {across}", told)


def _scores_picture(runs: Sequence[Run], drawing: Picture, title: str, told: str) -> dict[str, Any]:
    letters = max(40, int(drawing.width / PIXELS_A_LETTER))
    return {"labels": _run_texts(runs, title), "drawing": drawing, **_texts_around(runs, drawing.height, told, letters)}


def _texts_around(runs: Sequence[Run], height: float, told: str, letters: int) -> dict[str, Any]:
    """Return the texts above and below a drawing, and their places."""
    below = wrap(f"{told} {CAVEAT}", letters)
    top = HEAD + LINE * len(runs) + 8
    signs = [
        {"run": run, "shape": SHAPES[place % len(SHAPES)], "number": place % len(SHAPES), "y": HEAD + LINE * place}
        for place, run in enumerate(runs)
    ]
    return {
        "signs": signs,
        "top": top,
        "below": [(LINE * place, text) for place, text in enumerate(below)],
        "foot": top + height + LINE,
        "height": top + height + LINE * (len(below) + 2),
    }
