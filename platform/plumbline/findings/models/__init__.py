"""The models of findings: what people judge, its evidence in each run, and what was said about it."""

from plumbline.findings.models.discussion import Comment, Vote
from plumbline.findings.models.findings import IDENTITY, JUDGED, Finding, State
from plumbline.findings.models.observations import Observation, Outcome
from plumbline.findings.models.updates import Update

__all__ = ["IDENTITY", "JUDGED", "Comment", "Finding", "Observation", "Outcome", "State", "Update", "Vote"]
