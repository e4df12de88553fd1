"""A training that was stopped goes on: its state in one file, and whose state that is."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import torch

from plumbline.spec.errors import InputError

CHECKPOINT = "checkpoint.pt"


class Resumable(Protocol):
    def resume(self, path: Path) -> None:
        """Go on from a checkpoint. Raises InputError where it is another training's."""


def take_up(training: Resumable, out: Path, resume: bool) -> None:
    """Begin in an empty folder, or go on in a begun one. Raises InputError where the other was meant."""
    out.mkdir(parents=True, exist_ok=True)
    checkpoint = out / CHECKPOINT
    if checkpoint.exists() != resume:
        raise InputError(
            f"{out} holds no checkpoint: leave --resume away, or name the folder of the training with --out"
            if resume
            else f"{out} holds a training already: go on with --resume, or name another folder with --out"
        )
    if resume:
        training.resume(checkpoint)


def write_state(path: Path, state: Mapping[str, Any]) -> None:
    """The file is whole or the old one."""
    part = path.with_suffix(".part")
    torch.save(dict(state), part)
    part.replace(path)


def read_state(path: Path, identity: Mapping[str, Any], device: torch.device) -> dict[str, Any]:
    """What `write_state` wrote. Raises InputError where its "identity" is another recipe's or another text's."""
    saved: dict[str, Any] = torch.load(path, map_location=device, weights_only=True)
    if saved["identity"] != identity:
        other = [key for key, value in identity.items() if saved["identity"].get(key) != value]
        raise InputError(f"{path} was made with another {', '.join(other)}: give the same again, or another --out")
    return saved
