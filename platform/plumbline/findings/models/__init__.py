"""The models of findings: what people judge, its evidence in each run, discussions, sign-offs, and judged answers."""

from plumbline.findings.models.answers import AnswerJudgement
from plumbline.findings.models.discussion import Comment, Vote
from plumbline.findings.models.findings import IDENTITY, JUDGED, Finding, State
from plumbline.findings.models.observations import Observation, Outcome
from plumbline.findings.models.sign_offs import Condition, Decision, SignedRun, SignOff, SignOffRule
from plumbline.findings.models.updates import Update

__all__ = [
    "IDENTITY",
    "JUDGED",
    "AnswerJudgement",
    "Comment",
    "Condition",
    "Decision",
    "Finding",
    "Observation",
    "Outcome",
    "SignOff",
    "SignOffRule",
    "SignedRun",
    "State",
    "Update",
    "Vote",
]
