"""Answers that a model gave elsewhere. No model is loaded or queried."""

from dataclasses import dataclass
from pathlib import Path

from plumbline.spec.digests import digest
from workers.engine.checkpoints.checkpoint import Checkpoint, Kind


def stored(reference: str) -> Checkpoint:
    """Return a checkpoint of which only the name is known; the answers are in the spec's snapshot."""
    return Checkpoint(reference, Path(), Kind.ANSWERS, "", digest(reference), "", "answers imported, not asked here")


@dataclass(frozen=True, slots=True)
class StoredAnswers:
    """A placeholder for a model whose answers are imported."""

    checkpoint: Checkpoint
