"""Differences of logarithms of probabilities as factors: how many times as likely a word is."""

import math

from plumbline.spec.numbers import amount
from plumbline.spec.registry import PROBES

OF_PROBABILITIES = ("ilps", "ilps_chain", "log_probability")
"""The methods whose difference is one of logarithms of probabilities, so that e^difference is a factor."""


def is_log_ratio(probe: str, statistic: str) -> bool:
    """Return whether the statistic is the difference of a method in OF_PROBABILITIES."""
    return probe in OF_PROBABILITIES and statistic == PROBES[probe].card.difference


def times_as_likely(difference: float) -> str:
    """Format e^|difference|, `3.3`."""
    return amount(math.exp(abs(difference)))
