"""Runs of BBQ that a reader can choose to compare."""

from collections.abc import Sequence

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404

from plumbline.audits.models import Run
from plumbline.audits.states import RunState

RUNS_OFFERED = 100
MOST_RUNS = 8
"""The largest number side by side: one for each shape."""


def all_runs() -> list[Run]:
    """Return the latest finished runs."""
    found = Run.objects.filter(probe="bbq", state=RunState.DONE).order_by("-pk")
    return list(found.only("pk", "name", "model")[:RUNS_OFFERED])


def other_runs(run: Run) -> list[Run]:
    return [one for one in all_runs() if one.pk != run.pk]


def run_named(number: str) -> Run | None:
    """Return the run; None for no number. Raises Http404 for a number of no BBQ run."""
    if not number:
        return None
    return get_object_or_404(_known(), pk=_number(number))


def runs_named(numbers: Sequence[str]) -> list[Run]:
    """Return the runs of `?runs=1,2` or `?runs=1&runs=2`, each once, in this order, at most MOST_RUNS."""
    wanted = list(dict.fromkeys(_number(one) for part in numbers for one in part.split(",") if one.strip()))[:MOST_RUNS]
    found = _known().in_bulk(wanted)
    if missing := [number for number in wanted if number not in found]:
        raise Http404(f"No run of BBQ has the number {missing[0]}.")
    return [found[number] for number in wanted]


def _known() -> QuerySet[Run]:
    return Run.objects.filter(probe="bbq").defer("traceback", "provenance")


def _number(text: str) -> int:
    text = text.strip()
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise Http404("No run has such a number.")
    return int(text)
