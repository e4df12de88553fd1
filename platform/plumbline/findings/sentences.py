"""The form of a finding: a sentence and its figures, and the notes below them."""

from collections.abc import Iterable, Mapping
from typing import Any

from plumbline.spec.measure import OTHER_GROUPS

Sentence = tuple[str, str]
"""A sentence and its figures."""

CAVEAT = (
    "This says what the model associates, not what people are. Other sentences or words may show more. An undecided"
    " verdict or a figure near zero is no proof of fairness."
)
SUM_TO_ZERO = (
    "Each group is compared with the mean of the others. So the figures of a word sum to zero over the groups, and"
    " these figures depend on each other."
)
"""What the caveat adds where three or more groups are each compared with the mean of the others."""
LEVEL = 0.95
"""The default level of intervals."""


def interval_name(spec: Mapping[str, Any]) -> str:
    """Return `95% interval`, by the level of a stored spec."""
    level = (spec.get("params") or {}).get("level", LEVEL)
    return f"{100 * float(level):g}% interval"


def notation(spec: Mapping[str, Any]) -> str:
    """Return the sentences that explain the figures of findings."""
    return (
        f"The figures in brackets are {interval_name(spec)}s. n is the size of the sample. q is the p-value after"
        " correction for all tests of its family. An estimate within the smallest effect that matters counts as no"
        " effect: its p and its q are 1."
    )


def group_name(label: str) -> str:
    """Return the label of a group as sentences name it: the mean over all others is `the mean of the other groups`."""
    return "the mean of the other groups" if label == OTHER_GROUPS else label


def primary_first(variants: Iterable[str]) -> list[str]:
    """Return the variants in order: the primary definition has the fewest words in its name."""
    return sorted(variants, key=lambda name: (len(name.split(", ")) if name else 0, name))
