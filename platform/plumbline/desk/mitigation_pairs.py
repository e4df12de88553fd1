"""Runs of a model and of its variant that asked the same, whatever else was run on the two models since."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from typing import Any

from django.db.models import F, Q, Window
from django.db.models.functions import RowNumber

from plumbline.audits.models import Comparison, ComparisonRequest, Run
from plumbline.audits.states import RunState, WorkState

MOST_RUNS = 50
"""The latest runs of each method on a model among which pairs are searched, besides pairs that were compared."""
OF_A_RUN = ("name", "model")

Pair = tuple[Run, Run]


def alike_pairs(probes: Collection[str], before: str, after: str) -> list[Pair]:
    """Return one pair of finished runs on two models for each spec that both were asked, the best pair first.

    The two runs have the same words, settings and seed: their specs differ in the name and the model alone. Several
    runs may have one spec. Of their pairs, one that was compared goes before others, because only a comparison says
    what changed. After that, two runs of one plan go before runs of different plans, and later runs before earlier.
    """
    compared = _compared(before, after)
    asking: dict[str, list[Run]] = {}
    for run in _runs(probes, before, after, compared):
        asking.setdefault(question_of(run), []).append(run)
    rank = partial(_rank, compared=compared)
    best = [max(_pairs(alike, before, after), key=rank, default=None) for alike in asking.values()]
    return sorted(filter(None, best), key=rank, reverse=True)


def question_of(run: Run) -> str:
    """Return what a run asks of any model, with its method, as text that is equal for equal questions."""
    return json.dumps([run.probe, plan_of(run.spec)], sort_keys=True)


def plan_of(spec: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a spec asks of any model."""
    return {key: value for key, value in spec.items() if key not in OF_A_RUN}


def _rank(pair: Pair, compared: Collection[tuple[int, int]]) -> tuple[bool, bool, int, int]:
    first, second = pair
    is_of_one_plan = first.plan_id is not None and first.plan_id == second.plan_id
    return (first.pk, second.pk) in compared, is_of_one_plan, second.pk, first.pk


def _pairs(alike: Sequence[Run], before: str, after: str) -> Iterator[Pair]:
    """Yield the pairs of runs on the two models. Of two runs on one model, the earlier one is the first."""
    for first, second in product(alike, repeat=2):
        in_order = before != after or first.pk < second.pk
        if (first.model, second.model) == (before, after) and in_order:
            yield first, second


def _runs(probes: Collection[str], before: str, after: str, compared: Collection[tuple[int, int]]) -> list[Run]:
    """Return the latest finished runs of each method on both models, and those that were compared."""
    done = Run.objects.top_level().filter(probe__in=probes, model__in={before, after}, state=RunState.DONE)
    from_latest = Window(RowNumber(), partition_by=["probe", "model"], order_by=F("pk").desc())
    numbers = {number for pair in compared for number in pair}
    found = done.annotate(from_latest=from_latest).filter(Q(from_latest__lte=MOST_RUNS) | Q(pk__in=numbers))
    return list(found.defer("traceback", "provenance"))


def _compared(before: str, after: str) -> set[tuple[int, int]]:
    """Return the numbers of the runs on two models that were compared, by their plan or on request."""
    by_plan = Comparison.objects.filter(previous__model=before, run__model=after)
    on_request = ComparisonRequest.objects.filter(first__model=before, second__model=after, error="")
    answered = on_request.filter(state=WorkState.DONE)
    return {*by_plan.values_list("previous_id", "run_id"), *answered.values_list("first_id", "second_id")}
