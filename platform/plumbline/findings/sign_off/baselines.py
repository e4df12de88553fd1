"""The signed-off runs: baselines of later runs, and what may not be deleted."""

from collections.abc import Iterable

from django.db.models import QuerySet

from plumbline.audits.models import Run
from plumbline.findings.identity import model_of, series_of
from plumbline.findings.models import SignedRun, SignOff


def baseline_of(run: Run) -> Run | None:
    """Return the latest signed-off run of the same plan, model and method before this one, or None.

    The model may have another revision. Whether the two measured alike, `identity.fingerprint_of` says.
    """
    if run.plan_id is None:
        return None
    same = SignOff.objects.filter(series=series_of(run), model=model_of(run), probe=run.probe)
    found = SignedRun.objects.filter(
        sign_off__in=same.filter(is_of_release=False, withdrawn_at__isnull=True), run__lt=run.pk
    )
    latest = found.select_related("run").order_by("-run").first()
    return latest.run if latest else None


def signed_off(runs: Iterable[int]) -> set[int]:
    """Return which of these runs are signed off."""
    return set(standing_runs().filter(run__in=list(runs)))


def standing_runs() -> QuerySet[SignedRun, int]:
    """Return the numbers of all runs that are signed off, as a query."""
    standing = SignedRun.objects.filter(sign_off__withdrawn_at__isnull=True, sign_off__is_of_release=False)
    return standing.order_by().values_list("run", flat=True)


def kept_because(run: Run) -> str:
    """Return why a run must be kept, or "". A withdrawn sign-off keeps its runs, too: it may be asked about later."""
    found = SignedRun.objects.filter(run=run.pk).select_related("sign_off").order_by("-sign_off__withdrawn_at", "pk")
    reasons = [str(one.sign_off) for one in found]
    return f"a sign-off rests on it: {'; '.join(reasons)}" if reasons else ""
