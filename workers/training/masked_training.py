"""Training of a masked language model's upper layers and head by AdamW, resumable at any checkpoint."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from workers.training.batches import MaskedBatch, Special, masked_batch, rows_of_step
from workers.training.corpus import Tokens
from workers.training.recipe import Recipe
from workers.training.resuming import read_state, write_state

BETAS = (0.9, 0.98)


def logits_at_masked(model: Any, batch: MaskedBatch) -> Tensor:
    """Return the logits of the masked tokens, [masked tokens, V].

    The vocabulary is by far the widest layer, so no other position is computed.
    """
    attention = None if bool(batch.attention.all()) else batch.attention
    states = model.base_model(input_ids=batch.ids, attention_mask=attention)[0][batch.masked]
    found: Tensor = model.cls(states)
    return found


def trained_names(model: Any, frozen: int) -> list[str]:
    """Return the names of the trained parameters: layers from `frozen` on, and the head without the tied decoder."""
    layers = tuple(f"bert.encoder.layer.{number}." for number in range(frozen, model.config.num_hidden_layers))
    return [name for name, _ in model.named_parameters() if name.startswith((*layers, "cls.predictions."))]


class Training:
    """The training of a model by a recipe; `step` is the number of completed steps."""

    def __init__(self, model: Any, recipe: Recipe, passages: Sequence[Tokens], special: Special, corpus: str) -> None:
        self.model = model
        self.recipe = recipe
        self.passages = passages
        self.special = special
        self.corpus = corpus
        self.identity = {**asdict(recipe), "corpus": corpus}
        self.step = 0
        self.optimizer = _optimizer(model, recipe)
        # Dropout is off, because so few passes over the text are far from overfitting.
        model.eval()

    def losses(self) -> Iterator[float]:
        """Run the remaining steps, one for each item taken, and yield the loss of each."""
        lengths = np.array([len(passage) for passage in self.passages])
        rows = rows_of_step(lengths, self.recipe.tokens, self.recipe.seed)
        for chosen in islice(rows, self.step, self.recipe.steps):
            random = np.random.default_rng((self.recipe.seed, self.step, 1))
            batch = masked_batch([self.passages[row] for row in chosen], self.special, self.recipe.rate, random)
            loss = self._learn(batch.to(self.model.device))
            self.step += 1
            yield loss

    def _learn(self, batch: MaskedBatch) -> float:
        for group in self.optimizer.param_groups:
            group["lr"] = group["highest"] * self.recipe.share(self.step)
        with torch.autocast(self.model.device.type, torch.bfloat16, enabled=self.recipe.bfloat16):
            loss = nn.functional.cross_entropy(logits_at_masked(self.model, batch), batch.answers)
        self.optimizer.zero_grad()
        torch.autograd.backward(loss)
        nn.utils.clip_grad_norm_([one for one in self.model.parameters() if one.requires_grad], self.recipe.clip)
        self.optimizer.step()
        return loss.item()

    def save(self, path: Path) -> None:
        """Write everything that `resume` needs; the file is always complete, the old or the new one."""
        trained = trained_names(self.model, self.recipe.frozen)
        weights = {name: value for name, value in self.model.named_parameters() if name in trained}
        state = {"weights": weights, "optimizer": self.optimizer.state_dict()}
        write_state(path, {"step": self.step, "identity": self.identity, **state})

    def resume(self, path: Path) -> None:
        """Continue from a checkpoint. Raises InputError if it belongs to another recipe or another text."""
        saved = read_state(path, self.identity, self.model.device)
        self.model.load_state_dict(saved["weights"], strict=False)
        self.optimizer.load_state_dict(saved["optimizer"])
        self.step = saved["step"]


def _optimizer(model: Any, recipe: Recipe) -> torch.optim.AdamW:
    """Return an optimizer with two learning rates and weight decay for matrices, not for biases and norms."""
    trained = set(trained_names(model, recipe.frozen))
    groups: dict[tuple[float, float], list[nn.Parameter]] = {}
    for name, parameter in model.named_parameters():
        parameter.requires_grad = name in trained
        if parameter.requires_grad:
            highest = recipe.body if name.startswith("bert.") else recipe.head
            groups.setdefault((highest, recipe.decay if parameter.ndim > 1 else 0.0), []).append(parameter)
    return torch.optim.AdamW(
        [{"params": some, "highest": highest, "weight_decay": decay} for (highest, decay), some in groups.items()],
        lr=recipe.body,
        betas=BETAS,
    )
