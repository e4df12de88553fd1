"""The control plane of audits: what people decide, what runs, who works, and what recurs."""

from plumbline.audits.models.comparing import ComparisonRequest
from plumbline.audits.models.plans import ModelUnderAudit, Plan
from plumbline.audits.models.questions import ModelCheck, Question, Spelling, SpellingRequest
from plumbline.audits.models.runs import MOST_ATTEMPTS, PLANNING, Leased, Phase, Run, Shard, Snapshot
from plumbline.audits.models.schedules import AuditedModel, Comparison, Launch, Notice, Outcome, Schedule
from plumbline.audits.models.workers import Role, WorkerProcess, WorkerState

__all__ = [
    "MOST_ATTEMPTS",
    "PLANNING",
    "AuditedModel",
    "Comparison",
    "ComparisonRequest",
    "Launch",
    "Leased",
    "ModelCheck",
    "ModelUnderAudit",
    "Notice",
    "Outcome",
    "Phase",
    "Plan",
    "Question",
    "Role",
    "Run",
    "Schedule",
    "Shard",
    "Snapshot",
    "Spelling",
    "SpellingRequest",
    "WorkerProcess",
    "WorkerState",
]
