"""What a projection of a model depends on, beside model, words and text. Imports no torch."""

from dataclasses import dataclass
from typing import Literal

Projecting = Literal["leace", "inlp", "sentence_debias"]
METHODS: tuple[Projecting, ...] = ("leace", "inlp", "sentence_debias")


@dataclass(frozen=True)
class Recipe:
    method: Projecting
    layer: int | None = None
    """Whose states are projected, counted from 0 after the embeddings; None: the last."""
    most: int = 5000
    """Sentences of each group, at most; all groups have as many."""
    classifiers: int = 80
    """Of INLP."""
    logistic: bool = False
    """INLP with logistic regressions in place of support vector machines."""
    directions: int = 1
    """Of SentenceDebias."""
    seed: int = 0

    @property
    def params(self) -> dict[str, int | bool]:
        """Those that the method depends on."""
        own: dict[str, dict[str, int | bool]] = {
            "leace": {},
            "inlp": {"classifiers": self.classifiers, "logistic": self.logistic},
            "sentence_debias": {"directions": self.directions},
        }
        return {"most": self.most, **own[self.method]}
