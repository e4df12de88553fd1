"""Recipes: the hyperparameters of a training."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Recipe:
    """The hyperparameters that a training's weights depend on, besides its text and its start."""

    steps: int = 5000
    tokens: int = 2048
    """Tokens of a step, special tokens included."""
    rate: float = 0.25
    """The share of masked tokens."""
    body: float = 3e-4
    """The highest learning rate of the encoder's layers, after the warm-up; it then falls linearly to 0."""
    head: float = 5e-4
    warm_up: int = 100
    decay: float = 0.01
    clip: float = 1.0
    frozen: int = 2
    """The number of first layers that are not trained, nor are the embeddings."""
    bfloat16: bool = False
    """Whether matrices are multiplied in bfloat16; the weights stay in float32."""
    seed: int = 0

    def share(self, step: int) -> float:
        """Return the learning rate of a step (from 0), as a share of the highest."""
        return min((step + 1) / self.warm_up, (self.steps - step) / max(1, self.steps - self.warm_up), 1.0)


@dataclass(frozen=True)
class ChoiceRecipe:
    """The hyperparameters that a fine-tuning depends on, besides questions and base. Defaults: An et al.

    2023, section 4.
    """

    epochs: int = 2
    rate: float = 2e-5
    """The highest learning rate; it falls linearly to 0."""
    batch: int = 3
    """Questions of a step."""
    warm_up: float = 0.0
    """The share of the steps during which the learning rate rises."""
    decay: float = 0.0
    learn: str = ""
    """A regular expression for the names of the parameters that learn. Empty: all learn."""
    seed: int = 0
    parts: int = 1
    """The number of parts of a step, which are processed one after the other if memory is short."""


Retraining = Literal["dropout", "cda"]
RETRAINING: tuple[Retraining, ...] = ("dropout", "cda")


@dataclass(frozen=True)
class PretrainingRecipe:
    """The hyperparameters of a continued pre-training, which makes a variant of a language model."""

    method: Retraining
    steps: int = 2000
    batch: int = 32
    """Passages of a step."""
    length: int = 128
    """The longest passage in tokens, special tokens included."""
    rate: float = 5e-5
    """The highest learning rate; it falls linearly to 0."""
    warm_up: float = 0.0
    """The share of the steps during which the learning rate rises."""
    decay: float = 0.0
    hidden: float | None = None
    """Dropout of hidden states, for the method dropout. None: by family, see `dropout.py`."""
    attention: float | None = None
    """Dropout of attention weights. None: by family."""
    seed: int = 0

    @property
    def params(self) -> dict[str, int | float]:
        """Those that every method has."""
        return {name: getattr(self, name) for name in ("steps", "batch", "length", "rate", "warm_up", "decay")}

    def share(self, step: int) -> float:
        """Return the learning rate of a step (from 0), as a share of the highest."""
        rising = round(self.warm_up * self.steps)
        return min((step + 1) / max(1, rising), (self.steps - step) / max(1, self.steps - rising), 1.0)
