"""Parts of pages that scripts fetch with a query: a cell of the grid, a pair of the indirect score, a map."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import polars as pl
from django.urls import reverse

from plumbline.analyses.explorer.grid_page import choices_of
from plumbline.audits.models import MapRequest, Run
from plumbline.methods.indirect.card import SCORE
from plumbline.results import reading


def drawers(run: Run) -> Iterator[str]:
    """The first cell of each statistic that the run's grid shows, and of its maps each that was asked for."""
    measures = reading.read(run.pk, "measure").filter((pl.col("attribute") != "") & (pl.col("group_a") != ""))
    for choice in choices_of(run):
        for one in measures.filter(pl.col("statistic") == choice.statistic.name).head(1).to_dicts():
            yield _cell(run, one)
    for one in measures.filter(pl.col("statistic") == SCORE).head(1).to_dicts():
        yield _address("indirect_cell", run, target=one["group_a"], feature=one["attribute"])
    for asked in MapRequest.objects.filter(run=run):
        yield _address("indirect_map", run, method=asked.method, parameter=asked.parameter or 5, seed=asked.seed)


def _cell(run: Run, one: dict[str, Any]) -> str:
    groups = {"group": one["group_a"], "other": one["group_b"]}
    return _address("cell", run, statistic=one["statistic"], attribute=one["attribute"], **groups)


def _address(name: str, run: Run, **asked: Any) -> str:
    return f"{reverse(name, args=[run.pk])}?{urlencode(asked)}"
