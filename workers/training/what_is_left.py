"""What a trained variant leaves of the groups: how well a fresh linear classifier reads them, before and after."""

from dataclasses import asdict, dataclass
from typing import Any

import torch

from plumbline.spec.errors import InputError
from workers.debiasing.corpus import by_group, drawn, read_corpus
from workers.debiasing.fitting import held_out_readable, states_by_group
from workers.debiasing.words import GroupWords
from workers.engine.checkpoints.checkpoint import Checkpoint
from workers.engine.loading import load_any
from workers.training.training_order import TrainingOrder

MOST = 1000
"""The most sentences of each group."""


@dataclass(frozen=True)
class _Encoder:
    """A model in training, in the form in which the engine's models give their states."""

    model: Any
    tokenizer: Any

    @property
    def device(self) -> torch.device:
        device: torch.device = self.model.device
        return device


def what_is_left(order: TrainingOrder, parent: Checkpoint, model: Any) -> dict[str, Any]:
    """Return `before` and `after` of the card, as for projections, from the sentences of the training's text.

    Four of five sentences train the classifier, the fifth tests it. The model itself was trained on all of them.
    Without words nothing is measured. A text with too few sentences of a group gives the reason as `not_measured`.
    """
    if order.words is None:
        return {}
    try:
        chosen = _sentences(order, order.words)
    except InputError as error:
        return {"not_measured": str(error)}
    # The training leaves dropout on.
    model.eval()
    models = {"before": load_any(parent, device=order.device), "after": _Encoder(model, parent.tokenizer)}
    return {name: asdict(held_out_readable(*states_by_group(one, chosen))) for name, one in models.items()}


def _sentences(order: TrainingOrder, words: GroupWords) -> dict[str, list[str]]:
    return drawn(by_group(read_corpus(order.corpus), words), words.groups, MOST, order.recipe.seed)
