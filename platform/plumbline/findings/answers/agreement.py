"""The agreement of a parser and people: by class, and over all answers of a run. These functions are pure.

People judge about as many answers of a rare class as of the most frequent one. So the share over all judged answers
says little about the run. Each class is therefore weighted by its share of the run's answers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Share:
    """A share with the limits of its interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class ClassAgreement:
    """A class by the parser: the run's answers in it, how many of them are judged, and how many people confirm."""

    kind: str
    answers: int
    judged: int
    agree: int

    @property
    def share(self) -> Share | None:
        """Return the share that people confirm with Wilson's interval, or None if nobody judged an answer."""
        return wilson(self.agree, self.judged) if self.judged else None


def wilson(agree: int, n: int, level: float = LEVEL) -> Share:
    """Return the share of `agree` among n with Wilson's interval. n is at least 1.

    Source: Wilson 1927, "Probable Inference, the Law of Succession, and Statistical Inference", JASA 22.
    """
    z2 = NormalDist().inv_cdf((1 + level) / 2) ** 2
    share = agree / n
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = sqrt(z2 * (share * (1 - share) / n + z2 / (4 * n * n))) / (1 + z2 / n)
    # Rounding may put a limit a hair beyond a share of 0 or 1.
    return Share(share, max(0.0, min(middle - half, share)), min(1.0, max(middle + half, share)))


def overall(classes: Sequence[ClassAgreement]) -> Share | None:
    """Return the agreement over all answers: the sum of the classes' shares, each weighted by its part of the answers.

    None unless every class that has answers has a judged one. The estimate is that of stratified sampling (Cochran
    1977, "Sampling Techniques", section 5.10). Its limits join Wilson's limits of the classes, so that they have a
    width even if people confirm every answer: Zou, Huang & Zhang 2009, "A note on confidence interval estimation for a
    linear function of binomial proportions", Computational Statistics & Data Analysis 53. The finite number of answers
    is not taken into account: where most answers of a class are judged, the interval is wider than necessary.
    """
    present = [one for one in classes if one.answers]
    shares = [one.share for one in present]
    known = [one for one in shares if one is not None]
    if not present or len(known) < len(present):
        return None
    total = sum(one.answers for one in present)
    weighted = [(of.answers / total, share) for of, share in zip(present, known, strict=True)]
    value = sum(weight * share.value for weight, share in weighted)
    below = sqrt(sum((weight * (share.value - share.low)) ** 2 for weight, share in weighted))
    above = sqrt(sum((weight * (share.high - share.value)) ** 2 for weight, share in weighted))
    return Share(value, max(0.0, value - below), min(1.0, value + above))


def unjudged(classes: Sequence[ClassAgreement]) -> list[str]:
    """Return the classes that have answers, but no judged one."""
    return [one.kind for one in classes if one.answers and not one.judged]


def is_confirmed(confirming: int, judges: int) -> bool:
    """Return whether more than half of an answer's judges agree with the parser. A tie is no agreement."""
    return 2 * confirming > judges
