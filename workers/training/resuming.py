"""Resuming of a stopped training: its state in one file, and the identity of that state."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import torch

from plumbline.spec.errors import InputError

CHECKPOINT = "checkpoint.pt"


class Resumable(Protocol):
    def resume(self, path: Path) -> None:
        """Continue from a checkpoint. Raises InputError if it belongs to another training."""


def take_up(training: Resumable, out: Path, resume: bool) -> None:
    """Begin in an empty folder, or resume in a used one. Raises InputError if the folder does not fit."""
    out.mkdir(parents=True, exist_ok=True)
    checkpoint = out / CHECKPOINT
    if checkpoint.exists() != resume:
        raise InputError(
            f"{out} holds no checkpoint: remove --resume, or name the folder of the training with --out"
            if resume
            else f"{out} holds a training already: continue with --resume, or name another folder with --out"
        )
    if resume:
        training.resume(checkpoint)


def write_state(path: Path, state: Mapping[str, Any]) -> None:
    """Write the state; the file is always complete, the old or the new one."""
    part = path.with_suffix(".part")
    torch.save(dict(state), part)
    part.replace(path)


def read_state(path: Path, identity: Mapping[str, Any], device: torch.device, option: str = "--out") -> dict[str, Any]:
    """Read a state of `write_state`. Raises InputError if it is damaged, or of another recipe or text ("identity").

    `option`: the one with which another training gets a place of its own.
    """
    saved = _loaded(path, device, option)
    if saved["identity"] != identity:
        other = [key for key in {**saved["identity"], **identity} if saved["identity"].get(key) != identity.get(key)]
        raise InputError(f"{path} was made with another {', '.join(other)}: give the same again, or another {option}")
    return saved


def _loaded(path: Path, device: torch.device, option: str) -> dict[str, Any]:
    try:
        saved: dict[str, Any] = torch.load(path, map_location=device, weights_only=True)
        saved["identity"].keys()
    # Damaged files break in many ways: as archives, as pickles, as tensors.
    except Exception as error:
        raise InputError(
            f"the checkpoint {path} is damaged ({type(error).__name__}): remove it to train from the beginning, or give"
            f" another {option}"
        ) from error
    return saved
