"""Standard deviations of scores, measured on the bundled models: defaults for models without an earlier run."""

from dataclasses import dataclass
from math import hypot, sqrt


@dataclass(frozen=True)
class Components:
    """Standard deviations of a difference between two groups, in natural logarithms."""

    kind: float
    """Between kinds of sentence, common to all words."""
    frame: float
    """Between frames of one kind."""
    word: float
    """Between words of a list, common to all kinds."""
    word_kind: float
    """Between the kinds of one word, after the part common to all words."""

    def of_one_word(self, frames: float) -> float:
        """Return the standard deviation between the kinds of one word, with `frames` frames in each kind."""
        return hypot(self.kind, self.word_kind, self.frame / sqrt(frames))

    def of_list_mean(self, families: int, kinds: int, frames: float) -> float:
        """Return the standard error of the mean over this many word families and kinds of sentence."""
        cell = hypot(self.word_kind, self.frame / sqrt(frames))
        return hypot(self.word / sqrt(families), self.kind / sqrt(kinds), cell / sqrt(families * kinds))


MEASURED = {
    "bundled:masked-demo": Components(kind=0.15, frame=0.12, word=0.37, word_kind=0.16),
    "bundled:smollm2-135m": Components(kind=0.70, frame=0.85, word=0.43, word_kind=0.39),
}
"""Differences of women minus men in the plans "gender over occupations and ABC adjectives", means over two lists."""
LARGER = "bundled:smollm2-135m"
"""The model whose spreads serve every other model. They are the larger ones, so that plans promise too little."""


def default_components(model: str) -> Components:
    """Return the components of a bundled model, or the larger ones for another model."""
    return MEASURED.get(model, MEASURED[LARGER])


SHARE_ROW, SHARE_COLUMN, SHARE_CELL = 0.16, 0.16, 0.44
"""Standard deviations of the indicator that a word leans to the first of two targets: between word families, between
kinds of sentence, and the residual. Source: the simulated shares in bench/calibration.py.
"""


def of_share(families: int, kinds: int) -> float:
    """Return the standard error of a preference share over this many word families and kinds of sentence."""
    return hypot(SHARE_ROW / sqrt(families), SHARE_COLUMN / sqrt(kinds), SHARE_CELL / sqrt(families * kinds))
