"""Models under audit, plans and schedules are edited here; what came of them is looked at."""

from plumbline.audits.admin import comparisons, models_under_audit, plans, runs, schedules, work

__all__ = ["comparisons", "models_under_audit", "plans", "runs", "schedules", "work"]
