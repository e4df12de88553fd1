"""The steps of a fine-tuning with progress lines and checkpoints, up to its end, its time limit or a signal."""

import time
from collections.abc import Callable
from pathlib import Path

from workers.training.resuming import CHECKPOINT
from workers.training.stopping import stop_requests
from workers.training.train_multiple_choice import Choosing
from workers.training.train_variant import progress_lines

SAID = 20
"""Steps between progress lines."""


def train(choosing: Choosing, out: Path, seconds: float, saved: int, say: Callable[[str], None]) -> bool:
    """Run the remaining steps, and return whether all are completed. No stop loses a completed step.

    `seconds`: the time limit. `saved`: the steps between checkpoints. Raises KeyboardInterrupt with a message after
    Ctrl-C or SIGTERM.
    """
    if choosing.step:
        say(f"continued after step {choosing.step} of {choosing.steps}")
    begun, first, line = time.monotonic(), choosing.step + 1, progress_lines(choosing.step, choosing.steps)
    with stop_requests() as interrupted:
        for loss in choosing.losses():
            told, step = line(loss), choosing.step
            stopped = interrupted() or time.monotonic() - begun > seconds
            # The first line comes at once, because it says how long the training will take.
            if step % SAID == 0 or step in (first, choosing.steps):
                say(told)
            if step % saved == 0 or step == choosing.steps or stopped:
                choosing.save(out / CHECKPOINT)
            if stopped and step < choosing.steps:
                return _stopped(choosing, out, say, interrupted())
    return True


def _stopped(choosing: Choosing, out: Path, say: Callable[[str], None], interrupted: bool) -> bool:
    """Say what a stop leaves. Raises KeyboardInterrupt with it after a signal."""
    left = f"after step {choosing.step} of {choosing.steps}: the same command with --resume continues there ({out})"
    if interrupted:
        raise KeyboardInterrupt(f"interrupted {left}")
    say(f"stopped {left}")
    return False
