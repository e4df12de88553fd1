"""The accuracy of a fine-tuned model."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt

from workers.engine.multiple_choice import MultipleChoiceModel
from workers.training.questions import Question

Z = 1.959964
"""The normal quantile of a 95% interval."""


@dataclass(frozen=True)
class Accuracy:
    right: int
    questions: int
    chance: float
    contexts: int = 0
    design: float = 1.0
    """The variance relative to that of independent questions; questions about one context depend on each other."""
    unit: str = "questions"

    @property
    def share(self) -> float:
        return self.right / self.questions

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95% interval at the effective number of questions, which is their number over the design effect."""
        n, p = self.questions / self.design, self.share
        middle, half = p + Z**2 / (2 * n), Z * sqrt(p * (1 - p) / n + Z**2 / (4 * n**2))
        return (middle - half) / (1 + Z**2 / n), (middle + half) / (1 + Z**2 / n)

    def __str__(self) -> str:
        error = (self.share * (1 - self.share) / self.questions * self.design) ** 0.5
        low, high = self.interval
        about = f" about {self.contexts} contexts" if self.contexts else ""
        return (
            f"{self.share:.3f} of {self.questions} {self.unit}{about} (standard error {error:.3f}; chance"
            f" {self.chance:.3f}; 95% interval {low:.3f} to {high:.3f})"
        )


def accuracy(model: MultipleChoiceModel, questions: Sequence[Question]) -> Accuracy:
    """Return the accuracy on the questions. A question that is too long, or whose best answers tie, counts as wrong."""
    logits = model.logits([pair for one in questions for pair in one.pairs]).reshape(len(questions), -1)
    gold = np.array([one.gold for one in questions])
    own = logits[np.arange(len(gold)), gold]
    others = np.where(np.arange(logits.shape[1]) == gold[:, None], -np.inf, logits)
    right = own > others.max(axis=1)
    contexts = [one.context for one in questions]
    design = design_effect(right, contexts)
    return Accuracy(int(right.sum()), len(questions), 1 / logits.shape[1], len(set(contexts)), design)


def design_effect(right: npt.NDArray[np.bool_], contexts: Sequence[str]) -> float:
    """Return the variance of the share when contexts are sampled, over that of independent questions; at least 1."""
    share = right.mean()
    clusters = len(set(contexts))
    if clusters < 2 or share in (0, 1):
        return 1.0
    sums: Counter[str] = Counter()
    for context, one in zip(contexts, right, strict=True):
        sums[context] += float(one) - share
    drawn = clusters / (clusters - 1) * sum(value**2 for value in sums.values())
    return max(1.0, float(drawn / (len(right) * share * (1 - share))))
