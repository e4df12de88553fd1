"""Records that runs took from earlier ones instead of asking the model: they measure nothing again."""

from collections.abc import Iterable

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery, Sum

from plumbline.audits.models import Run, Shard

_SHARDS = Shard.objects.filter(run=OuterRef("pk"))


def wholly_reused(runs: Iterable[Run]) -> set[int]:
    """Return the numbers of those runs whose records all come from earlier runs."""
    own = all_wholly_reused().filter(pk__in=[run.pk for run in runs])
    return set(own.values_list("pk", flat=True))


def all_wholly_reused() -> QuerySet[Run]:
    """Return the runs whose records all come from earlier runs."""
    return Run.objects.filter(Exists(_SHARDS), ~Exists(_SHARDS.filter(rows_reused__lt=F("size"))))


def all_compared_by_copies() -> QuerySet[Run]:
    """Return the runs of which all answers to what the run before asked too come from earlier runs.

    Those that asked anew no more than what the run before lacks: their comparison with it cannot show a change.
    """
    anew = _SHARDS.order_by().values("run").annotate(anew=Sum(F("size") - F("rows_reused"))).values("anew")
    return Run.objects.annotate(asked_anew=Subquery(anew)).filter(
        Q(asked_anew=0) | Q(asked_anew__lte=F("comparison__only_new"))
    )


def compared_by_copies(runs: Iterable[Run]) -> set[int]:
    """Return the numbers of those runs whose comparison with the run before rests on copies."""
    return set(all_compared_by_copies().filter(pk__in=[run.pk for run in runs]).values_list("pk", flat=True))


def rows_asked_anew(run: Run) -> int:
    """Return the number of a run's records for which it asked its model."""
    return int(run.shards.aggregate(rows=Sum(F("size") - F("rows_reused"), default=0))["rows"])


def copied_shares(runs: Iterable[Run]) -> dict[int, str]:
    """Return what each run with copied records took from earlier ones, in words for a table. One query."""
    sums = Shard.objects.filter(run__in=[run.pk for run in runs]).order_by().values("run")
    found = sums.annotate(copied=Sum("rows_reused"), rows=Sum("size")).filter(copied__gt=0)
    return {
        one["run"]: "all answers from earlier runs"
        if one["copied"] >= one["rows"]
        else f"{one['copied']:,} of {one['rows']:,} answers from earlier runs"
        for one in found
    }


def rows_not_asked_anew(first: Run, second: Run) -> int:
    """Return the number of the second run's copied records if both runs ask one model in one way, else 0.

    Only then a copy cannot differ from what the first run has of the same item.
    """
    return rows_reused(second) if _way_of_asking(first) == _way_of_asking(second) else 0


def _way_of_asking(run: Run) -> tuple[object, ...]:
    spec, known = run.spec or {}, run.provenance or {}
    return run.model, known.get("digest"), *(spec.get(key) for key in ("dtype", "self_debias", "prior"))


def rows_reused(run: Run) -> int:
    """Return the number of a run's records that come from earlier runs."""
    return int(run.shards.aggregate(rows=Sum("rows_reused", default=0))["rows"])
