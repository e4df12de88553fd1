"""Continued pre-training of a language model by AdamW, resumable at any checkpoint."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from workers.engine.heads import head_of
from workers.training.lm_batches import Batches, rows_by_step
from workers.training.lm_loss import Loss, evaluate, loss_of
from workers.training.passages import Material
from workers.training.recipe import PretrainingRecipe
from workers.training.resuming import read_state, write_state

CLIP = 1.0


class Pretraining:
    """The training of a model by a recipe; `step` is the number of completed steps.

    Learning rate, passages, masks and dropout of a step depend on the seed and the step alone. So weights, optimizer
    and step are all that a checkpoint has to keep.
    """

    def __init__(
        self, model: Any, recipe: PretrainingRecipe, material: Material, batches: Batches, made_from: Mapping[str, str]
    ) -> None:
        self.model = model
        self.recipe = recipe
        self.material = material
        self.batches = batches
        self.identity = {**asdict(recipe), **made_from, "threads": torch.get_num_threads()}
        self.head = head_of(model)
        self.step = 0
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=recipe.rate, weight_decay=recipe.decay)
        self.before: Loss | None = None
        """The loss on the passages held out when the training began."""

    def losses(self) -> Iterator[float]:
        """Run the remaining steps, one for each item taken, and yield the loss of each."""
        self.before = self.before or self.evaluated()
        rows = rows_by_step(len(self.material.learnt), self.recipe.batch, self.recipe.seed)
        for chosen in islice(rows, self.step, self.recipe.steps):
            loss = self._learn(chosen)
            self.step += 1
            yield loss

    def _learn(self, chosen: npt.NDArray[np.int64]) -> float:
        seeds = np.random.SeedSequence((self.recipe.seed, self.step, 1))
        torch.manual_seed(int(seeds.generate_state(1)[0]))
        batch = self.batches.of_rows([self.material.learnt[row] for row in chosen], np.random.default_rng(seeds))
        for group in self.optimizer.param_groups:
            group["lr"] = self.recipe.rate * self.recipe.share(self.step)
        self.model.train()
        loss = loss_of(self.model, self.head, batch.to(self.model.device))
        self.optimizer.zero_grad()
        torch.autograd.backward(loss)
        nn.utils.clip_grad_norm_(self.model.parameters(), CLIP)
        self.optimizer.step()
        return loss.item()

    def evaluated(self) -> Loss:
        """Return the loss on the passages held out."""
        return evaluate(self.model, self.head, self.batches, self.material.held_out, self.recipe.batch)

    def save(self, path: Path) -> None:
        """Write everything that `resume` needs; the file is always complete, the old or the new one."""
        state = {"weights": dict(self.model.named_parameters()), "optimizer": self.optimizer.state_dict()}
        before = asdict(self.before) if self.before else None
        write_state(path, {"step": self.step, "identity": self.identity, "before": before, **state})

    def resume(self, path: Path) -> None:
        """Continue from a checkpoint. Raises InputError if it is damaged, or of another recipe, text or model."""
        saved = read_state(path, self.identity, self.model.device, "--name")
        self.model.load_state_dict(saved["weights"], strict=False)
        self.optimizer.load_state_dict(saved["optimizer"])
        self.step, before = saved["step"], saved["before"]
        self.before = Loss(**before) if before else None
