"""A multiple-choice model learns questions by AdamW, resumable at any checkpoint."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from plumbline.spec.errors import InputError
from workers.engine.multiple_choice import MultipleChoiceModel
from workers.training.questions import Question, capitalised, digest_of, encoded
from workers.training.resuming import read_state, write_state

CLIP = 1.0


@dataclass(frozen=True)
class ChoiceRecipe:
    """What the weights depend on, beside the questions and the base. As given: An et al. 2023, section 4."""

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


class Choosing:
    """A model on its way through a recipe; `step` steps are done."""

    def __init__(self, model: MultipleChoiceModel, recipe: ChoiceRecipe, questions: Sequence[Question]) -> None:
        self.model = model
        self.recipe = recipe
        self.rows = encoded(model.tokenizer, questions)
        self.names_seen = capitalised(questions)
        self.gold = torch.tensor([one.gold for one in questions])
        self.identity = {**asdict(recipe), "base": model.checkpoint.digest, "questions": digest_of(questions)}
        self.steps = recipe.epochs * -(-len(questions) // recipe.batch)
        self.step = 0
        self.learning = _learning(model.model, recipe.learn)
        self.optimizer = torch.optim.AdamW(self.learning.values(), lr=recipe.rate, weight_decay=recipe.decay)

    def losses(self) -> Iterator[float]:
        """Do the steps that are left, one at each item taken; the loss of each."""
        for chosen in islice(self._batches(), self.step, self.steps):
            # A step's dropout is its own, whatever was done before it.
            torch.manual_seed(int(np.random.SeedSequence((self.recipe.seed, self.step, 1)).generate_state(1)[0]))
            loss = self._learn(chosen)
            self.step += 1
            yield loss

    def _batches(self) -> Iterator[npt.NDArray[np.int64]]:
        for epoch in range(self.recipe.epochs):
            order = np.random.default_rng((self.recipe.seed, epoch)).permutation(len(self.rows))
            yield from np.split(order, range(self.recipe.batch, len(order), self.recipe.batch))

    def _learn(self, chosen: npt.NDArray[np.int64]) -> float:
        for group in self.optimizer.param_groups:
            group["lr"] = self.recipe.rate * self._share()
        self.model.model.train()
        fed = self.model.fed([choice for row in chosen for choice in self.rows[row]], choices=len(self.rows[0]))
        loss = nn.functional.cross_entropy(self.model.model(**fed).logits, self.gold[chosen].to(self.model.device))
        self.optimizer.zero_grad()
        torch.autograd.backward(loss)
        nn.utils.clip_grad_norm_(self.learning.values(), CLIP)
        self.optimizer.step()
        self.model.model.eval()
        return loss.item()

    def _share(self) -> float:
        """The learning rate of this step, as a share of the highest."""
        rising = round(self.recipe.warm_up * self.steps)
        falling = (self.steps - self.step) / max(1, self.steps - rising)
        return min(falling, (self.step + 1) / rising if rising else 1.0)

    def learnt(self) -> dict[str, Tensor]:
        """The parameters that learn, by name."""
        return {name: value.detach() for name, value in self.learning.items()}

    def save(self, path: Path) -> None:
        """Write all that `resume` needs."""
        state = {"weights": self.learnt(), "optimizer": self.optimizer.state_dict()}
        write_state(path, {"step": self.step, "identity": self.identity, **state})

    def resume(self, path: Path) -> None:
        """Go on from a checkpoint. Raises InputError where it is another recipe's, other questions' or a base's."""
        saved = read_state(path, self.identity, self.model.device)
        self.model.model.load_state_dict(saved["weights"], strict=False)
        self.optimizer.load_state_dict(saved["optimizer"])
        self.step = saved["step"]


def _learning(model: Any, pattern: str) -> dict[str, nn.Parameter]:
    try:
        found = {name: one for name, one in model.named_parameters() if re.search(pattern, name)}
    except re.error as error:
        raise InputError(f"--learn {pattern!r} is no regular expression ({error}): mend it") from error
    if not found:
        raise InputError(f"--learn {pattern!r} is found in no parameter's name: try 'classifier|pooler'")
    for name, one in model.named_parameters():
        one.requires_grad = name in found
    return found


@dataclass(frozen=True)
class Accuracy:
    right: int
    questions: int
    chance: float

    def __str__(self) -> str:
        share = self.right / self.questions
        error = (share * (1 - share) / self.questions) ** 0.5
        return f"{share:.3f} of {self.questions} questions (standard error {error:.3f}; chance {self.chance:.3f})"


def accuracy(model: MultipleChoiceModel, questions: Sequence[Question]) -> Accuracy:
    """How many questions are answered rightly; one that is too long, or draws level, is answered wrongly."""
    logits = model.logits([pair for one in questions for pair in one.pairs]).reshape(len(questions), -1)
    gold = np.array([one.gold for one in questions])
    own = logits[np.arange(len(gold)), gold]
    others = np.where(np.arange(logits.shape[1]) == gold[:, None], -np.inf, logits)
    return Accuracy(int((own > others.max(axis=1)).sum()), len(questions), 1 / logits.shape[1])
