"""The models of findings: what people judge, its evidence in each run, what was said about it, and sign-offs."""

from plumbline.findings.models.discussion import Comment, Vote
from plumbline.findings.models.findings import IDENTITY, JUDGED, Finding, State
from plumbline.findings.models.observations import Observation, Outcome
from plumbline.findings.models.sign_offs import Condition, SignedRun, SignOff, SignOffRule
from plumbline.findings.models.updates import Update

__all__ = [
    "IDENTITY",
    "JUDGED",
    "Comment",
    "Condition",
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
