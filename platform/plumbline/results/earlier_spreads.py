"""The spread of scores in an earlier run of a model, computed from the intervals of its measures."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import sqrt
from statistics import median
from typing import Any

from django.db.models import F, Q

from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.results import models

MOST_RUNS, MOST_MEASURES = 5, 2000


@dataclass(frozen=True, slots=True)
class Spread:
    """The standard deviation of one unit, and the run that it comes from."""

    value: float
    run: int
    of_others: bool = False
    """Whether the run asked other groups or sentences, so that its spread is a rough guess."""


def earlier_runs(probe: str, model: str, asked: Mapping[str, Any] | None = None) -> list[Run]:
    """Return the latest finished runs of this method on this model: first those whose spec has the parts `asked`.

    Scores of other groups and in other sentences may spread otherwise.
    """
    found = Run.objects.filter(probe=probe, model=model, state=RunState.DONE).order_by("-pk").only("pk", "spec")
    alike = found.filter(**{f"spec__{part}": value for part, value in (asked or {}).items()})
    return list(dict.fromkeys([*alike[:MOST_RUNS], *found[:MOST_RUNS]]))


def earlier_spread(runs: Iterable[Run], statistic: str, labels: Mapping[str, bool], variant: str) -> Spread | None:
    """Return the median spread of measures with these labels in the first run that has intervals of the statistic.

    `labels` says which columns of a measure are filled. Half of the cells have a larger spread than the median and need
    larger effects than a plan states. Returns None if no run has such intervals.
    """
    for run in runs:
        if found := _spreads(run, statistic, labels, variant):
            return Spread(median(found), run.pk)
    return None


def _spreads(run: Run, statistic: str, labels: Mapping[str, bool], variant: str) -> list[float]:
    """Return half width / t(n - 1) x sqrt(n) for measures whose interval has a width."""
    from scipy.special import stdtrit  # Imported here because loading it takes most of a second.

    has_width = Q(ci_high__gt=F("ci_low"), n_units__gt=1)
    labelled = [~Q(**{column: ""}) if filled else Q(**{column: ""}) for column, filled in labels.items()]
    own = models.Measure.objects.filter(has_width, *labelled, run=run.pk, statistic=statistic, variant=variant)
    rows = own.order_by("group_a", "group_b", "pk").values_list("ci_low", "ci_high", "n_units")
    tail = (1 + _level(run.spec)) / 2
    return [
        (high - low) / 2 / float(stdtrit(units - 1, tail)) * sqrt(units) for low, high, units in rows[:MOST_MEASURES]
    ]


def _level(spec: dict[str, Any]) -> float:
    return float(spec.get("params", {}).get("level", 0.95))
