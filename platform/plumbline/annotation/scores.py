"""Ratings of distractors from 1 to 5: means, spreads and histograms. These functions are pure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

ASPECTS = {
    "grammar": "Grammar: is it correct?",
    "fluency": "Fluency: does it read smoothly?",
    "plausibility": "Plausibility: could it be the right answer, too?",
    "similarity": "Similarity: does it mean the same as the right answer?",
}
"""The aspects with the questions to annotators. 5 is fully, 1 is not at all."""
SCALE = (1, 2, 3, 4, 5)

Scores = Mapping[str, int]
"""One person's ratings of one distractor, by aspect."""


@dataclass(frozen=True, slots=True)
class Distribution:
    """One aspect over `n` ratings. The standard deviation divides by n - 1."""

    aspect: str
    n: int
    mean: float | None
    sd: float | None
    histogram: tuple[int, ...]
    """The number of ratings of 1, 2, 3, 4 and 5."""


def distributions(ratings: Sequence[Scores]) -> list[Distribution]:
    """Return the distribution of each aspect over all ratings of all people.

    Source: An et al. 2023, appendix B (Table 7, Figure 7).
    """
    return [_distribution(aspect, [one[aspect] for one in ratings]) for aspect in ASPECTS]


def _distribution(aspect: str, values: Sequence[int]) -> Distribution:
    n, counts = len(values), Counter(values)
    mean = fmean(values) if n else None
    sd = float(stdev(values)) if n > 1 else None
    return Distribution(aspect, n, mean, sd, tuple(counts[step] for step in SCALE))
