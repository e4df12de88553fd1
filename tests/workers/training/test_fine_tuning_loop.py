"""A fine-tuning that is stopped by its time limit or a signal leaves a checkpoint, and says so."""

import math
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from tests.workers.training.test_train_multiple_choice import RECIPE, questions
from workers.engine.loading import locate
from workers.training.fine_tuning_loop import train
from workers.training.mcq import start_model
from workers.training.resuming import CHECKPOINT
from workers.training.train_multiple_choice import Choosing

EVERY = 50
"""Steps between checkpoints, more than the training has."""


class Signalled(Choosing):
    """A training whose process gets a signal while a step is computed."""

    at, number = 3, signal.SIGTERM

    def losses(self) -> Iterator[float]:
        for loss in super().losses():
            if self.step == self.at:
                signal.raise_signal(self.number)
            yield loss


def begin(folder: Path, kind: type[Choosing] = Choosing) -> Choosing:
    model = start_model(locate(f"path:{folder}"), RECIPE.seed, "cpu", new_head=True)
    return kind(model, RECIPE, questions(18))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_loses_no_step_and_says_how_to_continue(
    tiny_folder: Path, tmp_path: Path, number: signal.Signals
) -> None:
    whole, stopped, resumed = begin(tiny_folder), begin(tiny_folder, Signalled), begin(tiny_folder)
    stopped.number = number  # type: ignore[attr-defined]
    said: list[str] = []
    with pytest.raises(KeyboardInterrupt, match=r"interrupted after step 3 of 15: the same command with --resume"):
        train(stopped, tmp_path, math.inf, EVERY, said.append)
    resumed.resume(tmp_path / CHECKPOINT)
    assert train(resumed, tmp_path, math.inf, EVERY, said.append)
    assert "continued after step 3 of 15" in said
    list(whole.losses())
    for (name, expected), found in zip(whole.learnt().items(), resumed.learnt().values(), strict=True):
        assert torch.equal(expected, found), name


def test_a_time_limit_leaves_a_checkpoint_and_a_message(tiny_folder: Path, tmp_path: Path) -> None:
    said: list[str] = []
    assert not train(begin(tiny_folder), tmp_path, 0, EVERY, said.append)
    assert (tmp_path / CHECKPOINT).exists()
    assert said[0].startswith("step 1 of 15  loss "), "the first line comes with the first step"
    assert said[1:] == [f"stopped after step 1 of 15: the same command with --resume continues there ({tmp_path})"]


def test_a_limit_that_passes_in_the_last_step_stops_nothing(tiny_folder: Path, tmp_path: Path) -> None:
    late = begin(tiny_folder)
    for _ in range(late.steps - 1):
        next(late.losses())
    said: list[str] = []
    assert train(late, tmp_path, 0, EVERY, said.append)
    assert not any("stopped" in line for line in said)
