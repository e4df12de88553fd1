"""The previous run of a plan, with which a run is compared."""

from plumbline.audits.models import Run
from plumbline.audits.states import RunState


def latest_before(run: Run) -> Run | None:
    """Return the latest finished run before this one of the same plan, model and probe. None without a plan."""
    if run.plan_id is None:
        return None
    same = Run.objects.filter(plan=run.plan_id, model=run.model, probe=run.probe, state=RunState.DONE)
    return same.filter(pk__lt=run.pk).order_by("-pk").first()
