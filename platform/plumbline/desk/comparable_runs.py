"""Pairs of finished runs that a reader is likely to compare, offered before any run is chosen."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from plumbline.audits.models import Run

MOST = 8


@dataclass(frozen=True, slots=True)
class ComparablePair:
    """`earlier` is subtracted from `later`; `shared` says what both have."""

    later: Run
    earlier: Run
    shared: str


def likely_pairs(runs: Sequence[Run]) -> list[ComparablePair]:
    """Return at most MOST pairs of these runs, those with the latest runs first.

    A run is paired with the run before of its plan on its model. Without one, it is paired with the latest earlier run
    on another model: of its plan if there is one, else of its method.
    """
    latest = sorted(runs, key=lambda run: -run.pk)
    found = (pair for place, run in enumerate(latest) for pair in _of(run, latest[place + 1 :]))
    return list(islice(found, MOST))


def _of(run: Run, before: Sequence[Run]) -> Iterator[ComparablePair]:
    of_method = [one for one in before if one.probe == run.probe]
    of_plan = [one for one in of_method if run.plan_id is not None and one.plan_id == run.plan_id]
    if same := next((one for one in of_plan if one.model == run.model), None):
        yield ComparablePair(run, same, "the same plan and model")
    elif other := next((one for one in of_plan if one.model != run.model), None):
        yield ComparablePair(run, other, "the same plan, another model")
    elif other := next((one for one in of_method if one.model != run.model), None):
        yield ComparablePair(run, other, "the same method, another plan and model")
