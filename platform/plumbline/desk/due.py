"""What schedules launch next, and which are paused."""

from dataclasses import dataclass, field

from django.db.models import F

from plumbline.audits.models import Schedule
from plumbline.spec.several_models import model_names


@dataclass(frozen=True, slots=True)
class Due:
    """A schedule with the references of its models."""

    schedule: Schedule
    models: list[str]


@dataclass(frozen=True, slots=True)
class Dues:
    """All schedules, the next due first and paused ones last."""

    all: list[Due] = field(default_factory=list)

    @property
    def next_due(self) -> dict[str, str]:
        """The time of each model's next scheduled audit, in the zone of its schedule."""
        found: dict[str, str] = {}
        for one in self.all:
            for model in one.models:
                if one.schedule.next_due_at is not None:
                    found.setdefault(model, one.schedule.next_due())
        return found

    @property
    def paused(self) -> set[str]:
        """The models of paused schedules."""
        return {model for one in self.all if one.schedule.paused for model in one.models}

    @property
    def scheduled(self) -> set[tuple[str, int]]:
        """Each model with each plan that audits it by a schedule that is not paused."""
        return {(model, one.schedule.plan_id) for one in self.all if not one.schedule.paused for model in one.models}


def dues() -> Dues:
    """Return all schedules of plans that are not archived, in two queries."""
    known = Schedule.objects.filter(plan__archived_at=None).order_by(F("next_due_at").asc(nulls_last=True), "pk")
    rows = known.select_related("plan").prefetch_related("audited_models")
    return Dues([Due(one, _models(one)) for one in rows])


def _models(schedule: Schedule) -> list[str]:
    return [one.reference for one in schedule.audited_models.all()] or list(model_names(schedule.plan.spec))
