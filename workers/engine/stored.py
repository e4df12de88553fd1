"""Answers that a model gave elsewhere: nothing is loaded, and nothing is asked."""

from dataclasses import dataclass
from pathlib import Path

from plumbline.spec.digests import digest
from workers.engine.checkpoint import Checkpoint, Kind


def stored(reference: str) -> Checkpoint:
    """What was answered stands in the spec's own snapshot; of the model only its name is known."""
    return Checkpoint(reference, Path(), Kind.ANSWERS, "", digest(reference), "", "answers imported, not asked here")


@dataclass(frozen=True, slots=True)
class StoredAnswers:
    """Stands where a model would."""

    checkpoint: Checkpoint
