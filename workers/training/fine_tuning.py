"""Fine-tuning of a model with a head by AdamW, resumable at any checkpoint."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from plumbline.spec.errors import InputError
from workers.engine.classifier import ClassifierModel
from workers.engine.multiple_choice import MultipleChoiceModel
from workers.training.recipe import ChoiceRecipe
from workers.training.resuming import read_state, write_state

CLIP = 1.0
Headed = MultipleChoiceModel | ClassifierModel


class FineTuning(ABC):
    """The training of a model by a recipe; `step` is the number of completed steps."""

    def __init__(self, model: Headed, recipe: ChoiceRecipe, examples: int, made_from: Mapping[str, Any]) -> None:
        """`examples`: their number. `made_from`: what identifies them."""
        self.headed = model
        self.recipe = recipe
        self.examples = examples
        self.identity = {**asdict(recipe), "base": model.checkpoint.digest, **made_from}
        self.steps = recipe.epochs * -(-examples // recipe.batch)
        self.step = 0
        self.learning = _learning(model.model, recipe.learn)
        self.optimizer = torch.optim.AdamW(self.learning.values(), lr=recipe.rate, weight_decay=recipe.decay)

    @abstractmethod
    def loss(self, part: npt.NDArray[np.int64]) -> Tensor:
        """Return the mean loss of these examples, which tokenizes them again: all of RACE would not fit into memory."""

    def losses(self) -> Iterator[float]:
        """Run the remaining steps, one for each item taken, and yield the loss of each."""
        for chosen in islice(self._batches(), self.step, self.steps):
            # The seed of a step's dropout depends on the step alone, so that a resumed training repeats it.
            torch.manual_seed(int(np.random.SeedSequence((self.recipe.seed, self.step, 1)).generate_state(1)[0]))
            loss = self._learn(chosen)
            self.step += 1
            yield loss

    def _batches(self) -> Iterator[npt.NDArray[np.int64]]:
        for epoch in range(self.recipe.epochs):
            order = np.random.default_rng((self.recipe.seed, epoch)).permutation(self.examples)
            yield from np.split(order, range(self.recipe.batch, len(order), self.recipe.batch))

    def _learn(self, chosen: npt.NDArray[np.int64]) -> float:
        for group in self.optimizer.param_groups:
            group["lr"] = self.recipe.rate * self._share()
        self.headed.model.train()
        self.optimizer.zero_grad()
        parts = np.array_split(chosen, min(self.recipe.parts, len(chosen)))
        loss = sum(self._gradients(part, len(part) / len(chosen)) for part in parts)
        nn.utils.clip_grad_norm_(self.learning.values(), CLIP)
        self.optimizer.step()
        self.headed.model.eval()
        return loss

    def _gradients(self, part: npt.NDArray[np.int64], weight: float) -> float:
        """Add the gradients of a part of a step, and return its weighted loss."""
        loss = self.loss(part) * weight
        torch.autograd.backward(loss)
        return float(loss.item())

    def _share(self) -> float:
        """Return the learning rate of this step, as a share of the highest."""
        rising = round(self.recipe.warm_up * self.steps)
        falling = (self.steps - self.step) / max(1, self.steps - rising)
        return min(falling, (self.step + 1) / rising if rising else 1.0)

    def learnt(self) -> dict[str, Tensor]:
        """Return the parameters that learn, by name."""
        return {name: value.detach() for name, value in self.learning.items()}

    def save(self, path: Path) -> None:
        """Write everything that `resume` needs."""
        state = {"weights": self.learnt(), "optimizer": self.optimizer.state_dict()}
        write_state(path, {"step": self.step, "identity": self.identity, **state})

    def resume(self, path: Path) -> None:
        """Continue from a checkpoint. Raises InputError if it belongs to another recipe, base or other examples."""
        saved = read_state(path, self.identity, self.headed.device)
        self.headed.model.load_state_dict(saved["weights"], strict=False)
        self.optimizer.load_state_dict(saved["optimizer"])
        self.step = saved["step"]


def _learning(model: Any, pattern: str) -> dict[str, nn.Parameter]:
    try:
        found = {name: one for name, one in model.named_parameters() if re.search(pattern, name)}
    except re.error as error:
        raise InputError(f"--learn {pattern!r} is not a regular expression ({error}): correct it") from error
    if not found:
        raise InputError(f"--learn {pattern!r} is found in no parameter's name: try 'classifier|pooler'")
    for name, one in model.named_parameters():
        one.requires_grad = name in found
    return found
