"""The models of audits: plans, runs, workers and schedules."""

from plumbline.audits.models.adding import AddedWord, WordKind
from plumbline.audits.models.agreements import MethodAgreement
from plumbline.audits.models.batches import RequestBatch
from plumbline.audits.models.comparing import ComparisonRequest
from plumbline.audits.models.error_rates import ErrorRates
from plumbline.audits.models.followers import RunFollower
from plumbline.audits.models.mapping import MapMethod, MapRequest
from plumbline.audits.models.padding import PaddingComparison
from plumbline.audits.models.plans import ModelUnderAudit, Plan
from plumbline.audits.models.questions import ModelCheck, Question, Spelling, SpellingRequest
from plumbline.audits.models.queueing import NO_PERSON, MoveKind, QueueMove, WorkerTime
from plumbline.audits.models.runs import MOST_ATTEMPTS, PLANNING, Leased, Phase, Run, Shard, Snapshot
from plumbline.audits.models.schedules import AuditedModel, Comparison, Launch, Notice, Outcome, Schedule
from plumbline.audits.models.servers import AskedServer, ServerShare
from plumbline.audits.models.spending import MonthSpending, RunSpending
from plumbline.audits.models.variants import Variant
from plumbline.audits.models.word_tests import WordTest
from plumbline.audits.models.workers import Role, WorkerProcess, WorkerState

__all__ = [
    "MOST_ATTEMPTS",
    "NO_PERSON",
    "PLANNING",
    "AddedWord",
    "AskedServer",
    "AuditedModel",
    "Comparison",
    "ComparisonRequest",
    "ErrorRates",
    "Launch",
    "Leased",
    "MapMethod",
    "MapRequest",
    "MethodAgreement",
    "ModelCheck",
    "ModelUnderAudit",
    "MonthSpending",
    "MoveKind",
    "Notice",
    "Outcome",
    "PaddingComparison",
    "Phase",
    "Plan",
    "Question",
    "QueueMove",
    "RequestBatch",
    "Role",
    "Run",
    "RunFollower",
    "RunSpending",
    "Schedule",
    "ServerShare",
    "Shard",
    "Snapshot",
    "Spelling",
    "SpellingRequest",
    "Variant",
    "WordKind",
    "WordTest",
    "WorkerProcess",
    "WorkerState",
    "WorkerTime",
]
