"""How far scores scatter, as measured on the bundled models: what is taken where a model has no earlier run."""

from dataclasses import dataclass
from math import hypot, sqrt


@dataclass(frozen=True)
class Components:
    """Standard deviations of a difference between two groups, in natural logarithms."""

    kind: float
    """Between kinds of sentence, for all words alike."""
    frame: float
    """Between frames of one kind."""
    word: float
    """Between words of a list, in all kinds alike."""
    word_kind: float
    """Between the kinds of one word, beyond what all words share."""

    def of_one_word(self, frames: float) -> float:
        """Between the kinds of one word, with so many frames in a kind."""
        return hypot(self.kind, self.word_kind, self.frame / sqrt(frames))

    def of_list_mean(self, families: int, kinds: int, frames: float) -> float:
        """Standard error of the mean over so many word families and kinds of sentence."""
        cell = hypot(self.word_kind, self.frame / sqrt(frames))
        return hypot(self.word / sqrt(families), self.kind / sqrt(kinds), cell / sqrt(families * kinds))


MEASURED = {
    "bundled:masked-demo": Components(kind=0.15, frame=0.12, word=0.37, word_kind=0.16),
    "bundled:smollm2-135m": Components(kind=0.70, frame=0.85, word=0.43, word_kind=0.39),
}
"""Of women minus men in the plans "gender over occupations and ABC adjectives", means over their two lists."""
LARGER = "bundled:smollm2-135m"
"""Taken for every other model: a plan is then rather said to detect too little than too much."""


def default_components(model: str) -> Components:
    """Those of a bundled model, else the larger ones."""
    return MEASURED.get(model, MEASURED[LARGER])


SHARE_ROW, SHARE_COLUMN, SHARE_CELL = 0.16, 0.16, 0.44
"""Standard deviations of whether a word leans to the first of two targets: between word families, between kinds of
sentence, and what is left. Of the simulated shares in bench/calibration.py."""


def of_share(families: int, kinds: int) -> float:
    """Standard error of a preference share over so many word families and kinds of sentence."""
    return hypot(SHARE_ROW / sqrt(families), SHARE_COLUMN / sqrt(kinds), SHARE_CELL / sqrt(families * kinds))
