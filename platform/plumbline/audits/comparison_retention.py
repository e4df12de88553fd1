"""Comparisons of two runs that people asked for. Each would be deleted with either of its runs."""

from django.db.models import Q

from plumbline.audits.models import ComparisonRequest, Run


def kept_because(run: Run) -> str:
    """Return why a run is kept, or "": somebody had it compared with another one."""
    pairs = ComparisonRequest.objects.filter(Q(first=run.pk) | Q(second=run.pk)).order_by("pk")
    others = [str(one.second_id if one.first_id == run.pk else one.first_id) for one in pairs]
    return f"it was compared on request with run {', '.join(others)}" if others else ""
