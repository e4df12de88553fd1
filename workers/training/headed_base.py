"""The base model of a fine-tuning with the head that it learns."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import torch

from plumbline.spec.errors import ModelError
from workers.engine.checkpoints.checkpoint import Checkpoint, Kind
from workers.engine.checkpoints.silence import first_line, quiet
from workers.engine.loading import Device, project_all, resolved_device


@dataclass(frozen=True, slots=True)
class Head:
    """`auto` is the class of transformers, `kind` that of a trained model, `what` its name in sentences."""

    auto: Any
    kind: Kind
    what: str
    settings: Mapping[str, Any] = field(default_factory=dict)


def headed_base(checkpoint: Checkpoint, head: Head, seed: int, device: Device, *, new_head: bool) -> Any:
    """Return the base model; a missing head starts from random numbers of the seed if `new_head` allows it.

    Raises ModelError for a model of another kind or of a family without such a head.
    """
    bases = (Kind.MASKED, Kind.ENCODER, head.kind) if new_head else (head.kind,)
    if checkpoint.kind not in bases:
        wanted = f"a masked language model, an encoder or a {head.what}" if new_head else f"a trained {head.what}"
        kind = checkpoint.kind.replace("_", " ")
        raise ModelError(f"{checkpoint.reference} is of the kind {kind}: choose {wanted} as --base")
    torch.manual_seed(seed)
    with quiet():
        try:
            model = head.auto.from_pretrained(
                checkpoint.folder, local_files_only=True, use_safetensors=True, dtype=torch.float32, **head.settings
            )
            if resolved_device(device) == "cpu":
                # On a CPU, the backward pass of fused attention takes a fifth of a step, that of plain attention almost
                # nothing.
                model.set_attn_implementation("eager")
        except (ValueError, OSError, RuntimeError) as error:
            raise ModelError(
                f"{checkpoint.reference} can have no head of a {head.what} ({first_line(error)}): choose another --base"
            ) from error
    return project_all(checkpoint, model.to(resolved_device(device)).eval())
