"""Differences of log probabilities as factors: how many times as likely a word is with one group as with the other."""

from dataclasses import dataclass

from plumbline.findings.models import Finding, Observation
from plumbline.findings.sentences import group_name
from plumbline.spec.likelihood import is_log_ratio, times_as_likely


@dataclass(frozen=True, slots=True)
class Factor:
    """`times`: how many times as likely the word is with `group`, to which it leans, as with `other`."""

    times: str
    group: str
    other: str


def factor_of(finding: Finding, measured: Observation) -> Factor | None:
    """Return the difference of a finding on one word as a factor; None for other findings, or without a value."""
    if not is_log_ratio(finding.probe, finding.statistic):
        return None
    if measured.value is None or not finding.attribute or not finding.group_b:
        return None
    groups = (finding.group_a, finding.group_b)
    leaning, other = groups if measured.value >= 0 else groups[::-1]
    return Factor(times_as_likely(measured.value), group_name(leaning), group_name(other))
