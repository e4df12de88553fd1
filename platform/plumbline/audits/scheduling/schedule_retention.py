"""The runs with which schedules compare their next runs."""

from plumbline.audits.models import Run, Schedule
from plumbline.audits.states import RunState


def kept_because(run: Run) -> str:
    """Return why a run must be kept, or "": it is the latest finished one of a plan that a schedule launches.

    A paused schedule counts, too: it may go on.
    """
    if run.plan_id is None or run.state != RunState.DONE:
        return ""
    same = Run.objects.filter(plan=run.plan_id, model=run.model, probe=run.probe, state=RunState.DONE)
    if same.filter(pk__gt=run.pk).exists():
        return ""
    schedule = Schedule.objects.filter(plan=run.plan_id).first()
    return f"schedule {schedule.pk} compares its next run with it" if schedule else ""
