"""Differences of log probabilities as factors: how many times as likely a word is with one group as with the other."""

import math
from dataclasses import dataclass

from plumbline.findings.models import Finding, Observation
from plumbline.findings.sentences import group_name
from plumbline.spec.numbers import amount
from plumbline.spec.registry import PROBES

OF_PROBABILITIES = ("ilps", "ilps_chain", "log_probability")
"""The methods whose difference is one of logarithms of probabilities, so that e^difference is a factor."""


@dataclass(frozen=True, slots=True)
class Factor:
    """`times`: how many times as likely the word is with `group`, to which it leans, as with `other`."""

    times: str
    group: str
    other: str


def factor_of(finding: Finding, measured: Observation) -> Factor | None:
    """Return the difference of a finding on one word as a factor; None for other findings, or without a value."""
    if finding.probe not in OF_PROBABILITIES or finding.statistic != PROBES[finding.probe].card.difference:
        return None
    if measured.value is None or not finding.attribute or not finding.group_b:
        return None
    groups = (finding.group_a, finding.group_b)
    leaning, other = groups if measured.value >= 0 else groups[::-1]
    return Factor(amount(math.exp(abs(measured.value))), group_name(leaning), group_name(other))
