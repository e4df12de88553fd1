"""The agreement of a parser and people: by class, and over all answers of a run. These functions are pure.

People judge about as many answers of a rare class as of the most frequent one. So the share over all judged answers
says little about the run. Each class is therefore weighted by its share of the run's answers.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from plumbline.spec.shares import LEVEL, Share, exact


@dataclass(frozen=True, slots=True)
class ClassAgreement:
    """A class by the parser: the run's answers in it, how many of them are judged, and how many people confirm."""

    kind: str
    answers: int
    judged: int
    agree: int

    @property
    def share(self) -> Share | None:
        """Return the share that people confirm with its exact interval, or None if nobody judged an answer."""
        return exact(self.agree, self.judged) if self.judged else None


def overall(classes: Sequence[ClassAgreement]) -> Share | None:
    """Return the agreement over all answers: the sum of the classes' shares, each weighted by its part of the answers.

    None unless every class that has answers has a judged one. The estimate is that of stratified sampling (Cochran
    1977, "Sampling Techniques", section 5.2). A class may miss its limits with 5% divided by the number of classes, so
    that the sum of the limits covers at least 95% (Bonferroni), however near to 1 the shares are. Where most answers of
    a class are judged, the interval is wider than necessary.
    """
    present = [one for one in classes if one.answers]
    if not present or not all(one.judged for one in present):
        return None
    level = 1 - (1 - LEVEL) / len(present)
    total = sum(one.answers for one in present)
    parts = [(one.answers / total, exact(one.agree, one.judged, level)) for one in present]
    value, low, high = (sum(part * getattr(share, of) for part, share in parts) for of in ("value", "low", "high"))
    return Share(value, low, min(1.0, high))


def unjudged(classes: Sequence[ClassAgreement]) -> list[str]:
    """Return the classes that have answers, but no judged one."""
    return [one.kind for one in classes if one.answers and not one.judged]


def is_confirmed(confirming: int, judges: int) -> bool:
    """Return whether more than half of an answer's judges agree with the parser. A tie is no agreement."""
    return 2 * confirming > judges
