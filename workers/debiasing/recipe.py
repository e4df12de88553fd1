"""The parameters of a projection, apart from model, words and text. Imports no torch."""

from dataclasses import dataclass
from typing import Literal

Projecting = Literal["leace", "inlp", "sentence_debias"]
METHODS: tuple[Projecting, ...] = ("leace", "inlp", "sentence_debias")


@dataclass(frozen=True)
class Recipe:
    method: Projecting
    layer: int | None = None
    """The layer whose states are projected, counted from 0 after the embeddings; None: the last."""
    most: int = 5000
    """The most sentences of each group; all groups have equally many."""
    classifiers: int = 80
    """Of INLP."""
    logistic: bool = False
    """Whether INLP uses logistic regressions in place of support vector machines."""
    directions: int = 1
    """Of SentenceDebias."""
    seed: int = 0

    @property
    def params(self) -> dict[str, int | bool]:
        """Return the parameters that the method depends on."""
        own: dict[str, dict[str, int | bool]] = {
            "leace": {},
            "inlp": {"classifiers": self.classifiers, "logistic": self.logistic},
            "sentence_debias": {"directions": self.directions},
        }
        return {"most": self.most, **own[self.method]}
