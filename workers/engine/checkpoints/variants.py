"""Variants in the model store: one folder each, with the card and either a projection or weights of its own."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from pydantic import ValidationError

from plumbline.spec.errors import ModelError
from plumbline.spec.variant import VariantCard
from workers.engine.checkpoints.checkpoint import Checkpoint
from workers.engine.checkpoints.folders import model_store
from workers.engine.projection import inspect_projected, projected

CARD, PROJECTION, WEIGHTS = "variant.json", "projection.safetensors", "model"
Locate = Callable[[str], Checkpoint]


def variant_folder(slug: str) -> Path:
    """Return the folder of the variant, which may not exist yet."""
    return model_store() / "variants" / slug


def unfinished_folder(slug: str) -> Path:
    """Return where the checkpoint of the variant's training lies until the variant is finished."""
    return model_store() / "training" / slug


def variant(reference: str, slug: str, locate: Locate) -> Checkpoint:
    """Find the files of a variant and its parent, and compare both with the card.

    Raises ModelError if the store does not have the variant, or if its files do not match its card.
    """
    folder = variant_folder(slug)
    card = read_card(reference, folder)
    found = _own(reference, folder) if (folder / WEIGHTS).is_dir() else _projected(reference, folder, card, locate)
    if found.digest != card.digest:
        raise ModelError(
            f"the files of {reference} in {folder} are not those of its card (digest {found.digest[:12]}, the card says"
            f" {card.digest[:12]}): copy the variant again, or make it again under another name"
        )
    return replace(found, note="; ".join(filter(None, (card.title, found.note))))


def read_card(reference: str, folder: Path) -> VariantCard:
    """Return the card of a folder. Raises ModelError if there is no readable card."""
    try:
        return VariantCard.model_validate_json((folder / CARD).read_text(encoding="utf-8"))
    except OSError as error:
        raise ModelError(
            f"{reference} is not in the model store {folder.parent}: set MODEL_STORE to the folder that all workers"
            " share, or make the variant with manage.py model debias"
        ) from error
    except ValidationError as error:
        raise ModelError(f"the card of {reference} in {folder} is damaged: copy the variant again") from error


def _own(reference: str, folder: Path) -> Checkpoint:
    return inspect_projected(reference, folder / WEIGHTS)


def _projected(reference: str, folder: Path, card: VariantCard, locate: Locate) -> Checkpoint:
    parent = locate(card.parent)
    if parent.digest != card.parent_digest:
        raise ModelError(
            f"{reference} was made for other weights of {card.parent} (digest {card.parent_digest[:12]}, now"
            f" {parent.digest[:12]}): bring those weights back, or make a variant of the new ones"
        )
    return replace(projected(parent, folder / PROJECTION), reference=reference)
