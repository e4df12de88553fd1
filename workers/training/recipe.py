"""The numbers of a training."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Recipe:
    """What a training's weights depend on, beside its text and its start."""

    steps: int = 5000
    tokens: int = 2048
    """Of one step, special tokens included."""
    rate: float = 0.25
    """Masked tokens, as a fraction."""
    body: float = 3e-4
    """Learning rate of the encoder's layers at its highest, after the warm-up; it then falls to 0 on a line."""
    head: float = 5e-4
    warm_up: int = 100
    decay: float = 0.01
    clip: float = 1.0
    frozen: int = 2
    """Layers that stay as they are, with the embeddings."""
    bfloat16: bool = False
    """Matrices multiplied in bfloat16, the weights themselves in float32."""
    seed: int = 0

    def share(self, step: int) -> float:
        """The learning rate of a step (from 0), as a share of the highest."""
        return min((step + 1) / self.warm_up, (self.steps - step) / max(1, self.steps - self.warm_up), 1.0)


@dataclass(frozen=True)
class ChoiceRecipe:
    """What a fine-tuning's weights depend on, beside questions and base. Defaults: An et al. 2023, section 4."""

    epochs: int = 2
    rate: float = 2e-5
    """Learning rate at its highest; it falls to 0 on a line."""
    batch: int = 3
    """Questions of a step."""
    warm_up: float = 0.0
    """The share of the steps on which the rate rises."""
    decay: float = 0.0
    learn: str = ""
    """Regular expression: the parameters that learn are those in whose names it is found. Empty: all."""
    seed: int = 0
    parts: int = 1
    """A step's questions are learnt from in so many parts, one after the other, where memory is short."""
