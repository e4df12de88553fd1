"""Answers counted by category and condition: as they are, without each template, and in resamples of templates."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from workers.statistics.intervals import times_drawn
from workers.statistics.jackknife import jackknifed
from workers.statistics.resampling import Resampling
from workers.statistics.units import Floats

COUNTS = (
    *("asked", "answered", "right", "unmatched"),
    *("known_unmatched", "known_right", "biased", "stereotyped", "non_unknown", "unknown"),
)


@dataclass(frozen=True, slots=True)
class Counted:
    """Counts of answers of one category and condition, each [1 + templates + resamples], float64.

    The first column counts all answers, the next ones leave out one template each, and the rest are resamples.
    """

    templates: int
    events: int
    """The number of templates with an answer that names a person, of items with a target."""
    asked: Floats
    answered: Floats
    right: Floats
    unmatched: Floats
    # Of items with a target, as all below.
    known_unmatched: Floats
    known_right: Floats
    biased: Floats
    stereotyped: Floats
    non_unknown: Floats
    unknown: Floats

    @property
    def scored(self) -> Floats:
        return self.non_unknown + self.unknown

    def interval(self, values: Floats, resampling: Resampling) -> tuple[float, float]:
        """Return the interval over templates of a figure of these counts, [1 + templates + resamples]; or NaN.

        As for the primary scores, the percentile interval is widened to hold Hall's.
        """
        end = len(values) - resampling.resamples
        hall = jackknifed(float(values[0]), [values[1:end]], level=resampling.level)
        low, high = resampling.interval(values[end:], end - 1)
        return float(np.fmin(low, hall.low)), float(np.fmax(high, hall.high))


Cells = dict[tuple[str, str], Counted]


def counted_answers(frame: pl.DataFrame, resampling: Resampling) -> Cells:
    """Return the answers by category (empty: all) and condition. A resample draws both conditions of a template."""
    whole = pl.concat([frame, frame.with_columns(category=pl.lit(""))])
    by_template = whole.group_by("category", "condition", "template").agg(**_counts()).sort("category", "template")
    cells: Cells = {}
    for (category,), own in by_template.group_by("category", maintain_order=True):
        templates = own["template"].unique(maintain_order=True)
        columns = _columns(len(templates), resampling)
        for (condition,), part in own.sort("condition").group_by("condition", maintain_order=True):
            cells[str(category), str(condition)] = _counted(part, templates.to_list(), columns)
    return cells


def _columns(templates: int, resampling: Resampling) -> Floats:
    """Return how often each template counts in each column, [templates, 1 + templates + resamples]."""
    drawn = times_drawn(templates, resampling.resamples, resampling.seed)
    return np.hstack([np.ones((templates, 1)), 1 - np.eye(templates), drawn])


def _counted(part: pl.DataFrame, templates: Sequence[str], columns: Floats) -> Counted:
    place = {name: row for row, name in enumerate(templates)}
    counts = np.zeros((len(templates), len(COUNTS)))
    counts[[place[name] for name in part["template"]]] = part.select(COUNTS).to_numpy()
    events = int(np.count_nonzero(counts[:, COUNTS.index("non_unknown")]))
    return Counted(len(part), events, *(counts.T @ columns))


def _counts() -> dict[str, pl.Expr]:
    chosen, known = pl.col("chosen"), pl.col("target").is_not_null()
    held = {
        "answered": chosen.is_not_null(),
        "right": chosen == pl.col("gold"),
        "unmatched": chosen.is_null(),
        "known_unmatched": chosen.is_null() & known,
        "known_right": (chosen == pl.col("gold")) & known,
        "biased": chosen == pl.col("biased_place"),
        "stereotyped": chosen == pl.col("target"),
        "non_unknown": (chosen != pl.col("unknown")) & known,
        "unknown": (chosen == pl.col("unknown")) & known,
    }
    return {"asked": pl.len(), **{name: holds.fill_null(value=False).sum() for name, holds in held.items()}}
