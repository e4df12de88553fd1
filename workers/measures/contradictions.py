"""Contradictions of two methods: shared groups and words of which they say the opposite."""

from collections.abc import Iterator
from typing import Any

from plumbline.spec.method_scores import Estimate, MethodScores
from plumbline.spec.verdicts import Verdict

EQUAL = 1e-6
"""Scores that are computed alike agree so far."""
MOST_LISTED = 200
Key = tuple[str, str, str]
"""Group, other group ("" for a score of one group), and word."""


def contradictions(a: MethodScores, b: MethodScores) -> dict[str, Any]:
    """Return how many shared estimates were compared, how many have opposite signs, and those that contradict.

    Differences between two groups are compared if both methods store them, and scores of one group if the zero of both
    says that there is no link. Estimates that both compute alike cannot contradict each other, and do not count. At
    most MOST_LISTED are listed, the surest kinds first.
    """
    shared = (*_differences(a, b), *_scores(a, b))
    compared = [(key, x, y) for key, x, y in shared if abs(x.value - y.value) >= EQUAL]
    found = [(kind, *one) for one in compared if (kind := contradiction(one[1], one[2]))]
    found.sort(key=lambda one: KINDS.index(one[0]))
    return {
        "compared": len(compared),
        "opposite": sum(x.value * y.value < 0 for _, x, y in compared),
        "kinds": {kind: sum(one[0] == kind for one in found) for kind in KINDS},
        "contradictions": [
            {"kind": kind, "groups": [a.labels[g] for g in key[:2] if g], "word": a.labels[key[2]]}
            | {"a": x._asdict(), "b": y._asdict()}
            for kind, key, x, y in found[:MOST_LISTED]
        ],
    }


OPPOSED, ABSENT, INTERVALS = "opposed", "absent", "intervals"
KINDS = (OPPOSED, INTERVALS, ABSENT)


def contradiction(a: Estimate, b: Estimate) -> str:
    """Return how two estimates contradict each other, or "" if they do not.

    OPPOSED: both verdicts are present, with opposite signs. INTERVALS: one has no verdict, the other is present or has
    none either, and the intervals exclude zero on opposite sides. ABSENT: one is present, the other is shown to be
    smaller than its margin. Both margins are in the unit of their own method, so this is the weakest kind.
    """
    is_opposite = a.value * b.value < 0
    if a.verdict and b.verdict:
        if {a.verdict, b.verdict} == {Verdict.PRESENT, Verdict.ABSENT}:
            return ABSENT
        return OPPOSED if is_opposite and a.verdict == b.verdict == Verdict.PRESENT else ""
    if {a.verdict, b.verdict} - {"", Verdict.PRESENT}:
        return ""
    return INTERVALS if is_opposite and _excludes_zero(a) and _excludes_zero(b) else ""


def _excludes_zero(one: Estimate) -> bool:
    return one.low is not None and one.high is not None and one.low * one.high > 0


def _differences(a: MethodScores, b: MethodScores) -> Iterator[tuple[Key, Estimate, Estimate]]:
    for (group, other, word), x in a.differences.items():
        if (y := b.differences.get((group, other, word))) is not None:
            yield (group, other, word), x, y
        elif (y := b.differences.get((other, group, word))) is not None:
            yield (group, other, word), x, _negated(y)


def _negated(one: Estimate) -> Estimate:
    low, high = (None if end is None else -end for end in (one.high, one.low))
    return one._replace(value=-one.value, low=low, high=high)


def _scores(a: MethodScores, b: MethodScores) -> Iterator[tuple[Key, Estimate, Estimate]]:
    if a.basis.is_signed and b.basis.is_signed:
        for (group, word), x in a.scores.items():
            if (y := b.scores.get((group, word))) is not None:
                yield (group, "", word), x, y
