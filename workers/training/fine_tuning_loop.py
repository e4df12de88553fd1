"""The steps of a fine-tuning with progress lines and checkpoints, up to its end, its time limit or a signal."""

import time
from collections.abc import Callable
from pathlib import Path

from workers.training.fine_tuning import FineTuning
from workers.training.resuming import CHECKPOINT
from workers.training.stopping import stop_requests
from workers.training.train_variant import progress_lines

SAID = 20
"""Steps between progress lines."""


def train(training: FineTuning, out: Path, seconds: float, saved: int, say: Callable[[str], None]) -> bool:
    """Run the remaining steps, and return whether all are completed. No stop loses a completed step.

    `seconds`: the time limit. `saved`: the steps between checkpoints. Raises KeyboardInterrupt with a message after
    Ctrl-C or SIGTERM.
    """
    if training.step:
        say(f"continued after step {training.step} of {training.steps}")
    begun, first, line = time.monotonic(), training.step + 1, progress_lines(training.step, training.steps)
    with stop_requests() as interrupted:
        for loss in training.losses():
            told, step = line(loss), training.step
            stopped = interrupted() or time.monotonic() - begun > seconds
            # The first line comes at once, because it says how long the training will take.
            if step % SAID == 0 or step in (first, training.steps):
                say(told)
            if step % saved == 0 or step == training.steps or stopped:
                training.save(out / CHECKPOINT)
            if stopped and step < training.steps:
                return _stopped(training, out, say, interrupted())
    return True


def _stopped(training: FineTuning, out: Path, say: Callable[[str], None], interrupted: bool) -> bool:
    """Say what a stop leaves. Raises KeyboardInterrupt with it after a signal."""
    left = f"after step {training.step} of {training.steps}: the same command with --resume continues there ({out})"
    if interrupted:
        raise KeyboardInterrupt(f"interrupted {left}")
    say(f"stopped {left}")
    return False
