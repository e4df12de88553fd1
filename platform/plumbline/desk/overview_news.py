"""What is new on the Overview: the strongest new finding, who looked at it, and which models got better or worse."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Window
from django.db.models.functions import Abs, RowNumber

from plumbline.audits.models import ModelUnderAudit
from plumbline.audits.reuse import all_compared_by_copies
from plumbline.desk.findings.doubts import echoes, first_without_doubt
from plumbline.findings.models import Finding, Observation, Outcome, State

WEEK = timedelta(days=7)
OTHER_RUNS, MOST_OF_A_RUN = 3, 5
LARGEST_FIRST = (
    Abs(F("latest__value")).desc(nulls_last=True),
    F("latest__q_value").asc(nulls_last=True),
    F("pk").asc(),
)
WORSE = (Outcome.STRONGER, Outcome.BACK, Outcome.NEW)
BETTER = (Outcome.WEAKER, Outcome.GONE)
WORDS = {
    Outcome.STRONGER: "stronger",
    Outcome.BACK: "back",
    Outcome.NEW: "new",
    Outcome.WEAKER: "weaker",
    Outcome.GONE: "gone",
    Outcome.REVERSED: "reversed",
}


@dataclass(frozen=True, slots=True)
class Change:
    """How the findings of one model changed: numbers of findings with their words, such as `2 stronger, 1 new`."""

    model: str
    worse: str
    better: str
    reversed: str
    size: int


def strongest_new() -> Finding | None:
    """Return the largest finding that nobody has judged, of the latest run that has one. One query.

    Effects of different methods have different units, so only those of one run are put in order. One with a
    known other reason stands back, if there is another.
    """
    noticed = _open().annotate(vote_count=Count("votes", distinct=True), comment_count=Count("comments", distinct=True))
    return first_without_doubt(noticed.select_related("assignee").order_by("-latest__run_number", *LARGEST_FIRST))


def strongest_of_others(first: Finding) -> list[Finding]:
    """Return the largest finding that nobody has judged of each of the latest other runs that have one. One query.

    Words that echo the name of a group stand back.
    """
    place = Window(RowNumber(), partition_by=["latest__run_number"], order_by=LARGEST_FIRST)
    others = _open().exclude(latest__run=first.latest.run if first.latest else None).annotate(place=place)
    found: dict[int, list[Finding]] = {}
    ordered = others.filter(place__lte=MOST_OF_A_RUN).order_by("-latest__run_number", "place")
    for one in ordered[: OTHER_RUNS * MOST_OF_A_RUN]:
        if one.latest:
            found.setdefault(one.latest.run_number, []).append(one)
    return [next((one for one in own if not echoes(one)), own[0]) for own in list(found.values())[:OTHER_RUNS]]


def _open() -> QuerySet[Finding]:
    """Return the present findings that nobody has judged, of runs that exist and of models that are not archived."""
    shown = Finding.objects.filter(state=State.NEW, latest__withheld=False, latest__verdict="present")
    known = shown.exclude(latest__run=None).exclude(latest__run__model__in=_archived())
    return known.select_related("latest__run", "latest__finding")


def compared_since(day: datetime) -> dict[str, dict[str, int]]:
    """Return how many findings of each model have each outcome in runs since a time that were compared. One query.

    A finding is compared if an earlier run measured it in the same words. So a first found effect counts only then: in
    a first audit, and of an added word or group, all are new. Nothing compared says nothing about changes. A run that
    took all of its answers to what the run before asked from earlier ones compares nothing.
    """
    earlier = Observation.objects.filter(finding=OuterRef("finding"), run_number__lt=OuterRef("run_number"))
    measured = Exists(earlier.exclude(outcome=Outcome.NOT_MEASURED))
    seen = Observation.objects.filter(run__created_at__gte=day, withheld=False)
    told = (
        seen.exclude(run__model__in=_archived())
        .exclude(outcome__in=(Outcome.NOT_MEASURED, Outcome.OTHER_WORDS))
        .exclude(run__in=all_compared_by_copies().filter(created_at__gte=day).values("pk"))
        .filter(~Q(outcome__in=(Outcome.NEW, Outcome.UNDECIDED)) | measured)
        .values("finding__model", "outcome")
    )
    counts: dict[str, dict[str, int]] = {}
    for row in told.annotate(count=Count("finding", distinct=True)).order_by():
        counts.setdefault(row["finding__model"], {})[row["outcome"]] = row["count"]
    return counts


def changes_in(compared: Mapping[str, Mapping[str, int]]) -> list[Change]:
    """Return the models with a change among the outcomes of their findings, most changes first."""
    found = [
        _change(model, changed)
        for model, own in compared.items()
        if (changed := {one: own[one] for one in WORDS if one in own})
    ]
    return sorted(found, key=lambda one: (-one.size, one.model))


def measured_otherwise(day: datetime) -> dict[str, int]:
    """Return how many findings the latest run no longer measures, if it is not older, how many a run since then asked
    otherwise, and how many were first found.

    A pin of a single item has no measure, so it does not count. One query.
    """
    shown = Finding.objects.filter(pinned_name="").exclude(latest__run__model__in=_archived())
    unmeasured = Q(latest__outcome=Outcome.NOT_MEASURED, latest__run__created_at__date__gte=day.date())
    asked = Observation.objects.filter(finding=OuterRef("pk"), run__created_at__gte=day, outcome=Outcome.OTHER_WORDS)
    return shown.aggregate(
        unmeasured=Count("pk", filter=unmeasured),
        asked_otherwise=Count("pk", filter=Exists(asked)),
        first_found=Count("pk", filter=Q(created_at__date__gte=day.date())),
    )


def _archived() -> Any:
    return ModelUnderAudit.objects.archived_references()


def _change(model: str, own: Mapping[Outcome, int]) -> Change:
    def words(outcomes: Iterable[Outcome]) -> str:
        return ", ".join(f"{own[one]:,} {WORDS[one]}" for one in outcomes if one in own)

    return Change(model, words(WORSE), words(BETTER), words([Outcome.REVERSED]), sum(own.values()))
