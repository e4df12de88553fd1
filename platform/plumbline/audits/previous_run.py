"""The run before: what a run of a plan is held against."""

from plumbline.audits.models import Run
from plumbline.audits.states import RunState


def latest_before(run: Run) -> Run | None:
    """The latest finished run before this one of the same plan, model and probe; None for a run without a plan."""
    if run.plan_id is None:
        return None
    same = Run.objects.filter(plan=run.plan_id, model=run.model, probe=run.probe, state=RunState.DONE)
    return same.filter(pk__lt=run.pk).order_by("-pk").first()
