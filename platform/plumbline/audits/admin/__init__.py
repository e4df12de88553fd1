"""Models under audit, plans and schedules are edited here; what came of them is looked at."""

from plumbline.audits.admin import plans, runs, schedules, work

__all__ = ["plans", "runs", "schedules", "work"]
