"""The classifier of embeddings: a small perceptron, trained and evaluated out of fold."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from sklearn.model_selection import StratifiedKFold, train_test_split
from torch import Tensor, nn

from plumbline.methods.gap.spec import GapParams

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]
CLASSES = 3
INNER = 0.1
"""The share of the training folds that decides when to stop."""
FEWEST_ALIKE = 10
"""Minimum number of passages of a class for a stratified inner split."""


def out_of_fold(
    features: npt.NDArray[np.float32],
    gold: Labels,
    strata: Labels,
    params: GapParams,
    seed: int,
    alive: Callable[[], None],
) -> Floats:
    """Return log probabilities of A, B and neither, float64 [passages, 3], each from a classifier that did not see it.

    features [passages, F] are standardised on the training folds (ours); the folds are alike in `strata` [passages].
    Equal input and seed give equal output on one machine; always on the CPU. `alive` is called after each epoch.
    """
    found = np.full((len(features), CLASSES), np.nan)
    folds = StratifiedKFold(params.folds, shuffle=True, random_state=seed)
    for number, (training, held_out) in enumerate(folds.split(features, _strata(strata, params.folds))):
        alike = _strata(gold[training], FEWEST_ALIKE)
        inside, inner = train_test_split(training, test_size=INNER, random_state=seed, stratify=alike)
        scale = _Scale(features[training].mean(axis=0), features[training].std(axis=0) + 1e-6)
        with torch.random.fork_rng(devices=[]), _one_thread():
            torch.manual_seed(seed * params.folds + number)
            network = _trained(scale.of(features), gold, inside, inner, params, alive)
            with torch.inference_mode():
                logits: Tensor = network(scale.of(features)[held_out])
        found[held_out] = logits.double().log_softmax(1).numpy()
    return found


@contextmanager
def _one_thread() -> Iterator[None]:
    """Limit torch to one thread, because the matrices are small and sums would depend on the number of threads."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _strata(labels: Labels, fewest: int) -> Labels:
    """Return the labels, or one label for all if some are too rare to be in each part."""
    return labels if np.unique_counts(labels).counts.min() >= fewest else np.zeros_like(labels)


@dataclass(frozen=True, slots=True)
class _Scale:
    mean: npt.NDArray[np.float32]
    deviation: npt.NDArray[np.float32]

    def of(self, features: npt.NDArray[np.float32]) -> Tensor:
        return torch.from_numpy((features - self.mean) / self.deviation)


def network_of(width: int, params: GapParams) -> nn.Sequential:
    return nn.Sequential(
        nn.Dropout(params.dropout), nn.Linear(width, params.hidden), nn.ReLU(), nn.Linear(params.hidden, CLASSES)
    )


def _trained(
    features: Tensor, gold: Labels, inside: Labels, inner: Labels, params: GapParams, alive: Callable[[], None]
) -> nn.Sequential:
    """Return the trained network in evaluation mode, with the weights of the best epoch on the inner split."""
    network, targets = network_of(features.shape[1], params), torch.from_numpy(gold)
    optimiser = _optimiser(network, params)
    best, kept, since = float("inf"), _copied(network), 0
    for _ in range(params.epochs):
        _epoch(network, optimiser, features, targets, torch.from_numpy(inside), params.batch)
        loss = _loss(network, features[inner], targets[inner])
        alive()
        if loss < best:
            best, kept, since = loss, _copied(network), 0
        elif (since := since + 1) >= params.patience:
            break
    network.load_state_dict(kept)
    return network.eval()


def _optimiser(network: nn.Sequential, params: GapParams) -> torch.optim.Optimizer:
    """Return an optimizer. Adam adds weight_decay x w to the gradient, and the derivative of l2 x w^2 is 2 x l2 x w."""
    last = network[-1].weight
    others = [parameter for parameter in network.parameters() if parameter is not last]
    groups: list[dict[str, Any]] = [{"params": others}, {"params": [last], "weight_decay": 2 * params.l2}]
    return torch.optim.Adam(groups, lr=params.rate)


def _epoch(
    network: nn.Sequential,
    optimiser: torch.optim.Optimizer,
    features: Tensor,
    targets: Tensor,
    inside: Tensor,
    batch: int,
) -> None:
    network.train()
    for rows in torch.split(inside[torch.randperm(len(inside))], batch):
        optimiser.zero_grad()
        nn.functional.cross_entropy(network(features[rows]), targets[rows]).backward()  # type: ignore[no-untyped-call]
        optimiser.step()


def _loss(network: nn.Sequential, features: Tensor, targets: Tensor) -> float:
    network.eval()
    with torch.inference_mode():
        return float(nn.functional.cross_entropy(network(features), targets))


def _copied(network: nn.Sequential) -> dict[str, Tensor]:
    return {name: value.detach().clone() for name, value in network.state_dict().items()}
