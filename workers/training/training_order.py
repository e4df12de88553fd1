"""What somebody asks for when a variant is trained."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from plumbline.spec.variant import Part
from workers.debiasing.words import GroupWords
from workers.engine.checkpoints.variants import unfinished_folder
from workers.engine.loading import Device
from workers.training.recipe import PretrainingRecipe
from workers.training.resuming import CHECKPOINT


@dataclass(frozen=True)
class TrainingOrder:
    """A variant of this name, of this model."""

    slug: str
    reference: str
    recipe: PretrainingRecipe
    corpus: Path
    words: GroupWords | None = None
    """The words of the groups: CDA swaps them. With any method they show what is left."""
    lists: Sequence[Part] = ()
    """The curated lists that the words are of."""
    saved: int = 100
    """Steps between checkpoints."""
    device: Device = "auto"

    @property
    def swapped(self) -> GroupWords | None:
        """The words that the training itself uses."""
        return self.words if self.recipe.method == "cda" else None

    @property
    def checkpoint(self) -> Path:
        return unfinished_folder(self.slug) / CHECKPOINT
