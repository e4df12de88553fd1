"""Comparison of runs that differ in nothing but the text before each sentence: how far their scores differ."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import polars as pl
from django.db import transaction

from plumbline.audits import questions
from plumbline.audits.models import PaddingComparison, Run
from plumbline.results import grid
from plumbline.spec.errors import InputError
from plumbline.spec.registry import card_of
from workers.execution.heartbeat import Hold
from workers.execution.worker import Worker
from workers.statistics.text_differences import text_differences
from workers.statistics.units import Floats


def compare_texts(_worker: Worker, hold: Hold) -> None:
    """Compare the scores outside of any transaction, then store the answer in a short one."""
    began = time.monotonic()
    asked = hold.lease.row
    assert isinstance(asked, PaddingComparison)  # noqa: S101 -- for the type checker
    found = differing([_scores_by_list(run) for run in _runs(asked)])
    hold.check()
    with transaction.atomic():
        questions.answer(hold.lease, time.monotonic() - began, found=found)


def differing(cells: Sequence[Mapping[str, pl.DataFrame]]) -> list[dict[str, Any]]:
    """Return the tests of every pair of texts, list by list, unpaired and paired.

    `cells` are those of results.grid, by text and list.
    """
    lists = [slug for slug in cells[0] if all(slug in own for own in cells)]
    tables = {slug: _tables([own[slug] for own in cells]) for slug in lists}
    levels = PaddingComparison.LEVELS
    return [{"features": slug, **asdict(one)} for slug in lists for one in text_differences(tables[slug], levels)]


def _runs(asked: PaddingComparison) -> list[Run]:
    """Return the runs in their order. Raises InputError if one is no longer what it was when somebody asked."""
    numbers = [number for number, _ in asked.runs]
    known = Run.objects.in_bulk(numbers)
    if questions.run_digests([known[number] for number in numbers if number in known]) != asked.runs:
        raise InputError("a run was resumed or deleted since somebody asked: ask again")
    return [known[number] for number in numbers]


def _scores_by_list(run: Run) -> dict[str, pl.DataFrame]:
    """Return the cells of the score of the run's method, list by list. Raises InputError for an unknown method."""
    if (card := card_of(run.probe)) is None:
        raise InputError(f"no method {run.probe!r} is registered, so its scores cannot be compared")
    parts = grid.cells(run.pk, card.score).partition_by("category", as_dict=True, maintain_order=True)
    return {str(slug): own for (slug,), own in parts.items()}


def _tables(cells: Sequence[pl.DataFrame]) -> list[Floats]:
    """Return the scores of each text [targets, words], of the targets and words that have a value under all texts."""
    known = [one.drop_nulls("value").select("group_a", "attribute", "value") for one in cells]
    wide = [one.pivot("attribute", index="group_a", values="value").drop_nulls() for one in known]
    targets = [name for name in wide[0]["group_a"] if all(name in set(one["group_a"]) for one in wide)]
    words = [word for word in wide[0].columns[1:] if all(word in one.columns for one in wide)]
    order = pl.DataFrame({"group_a": targets}, schema={"group_a": pl.String})
    return [order.join(one, on="group_a", maintain_order="left").select(words).to_numpy() for one in wide]
