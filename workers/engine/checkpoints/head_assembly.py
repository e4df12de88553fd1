"""Models assembled from an encoder and the layers and head trained for it, as a folder of files."""

import json
import shutil
from pathlib import Path

from plumbline.spec.digests import digest
from plumbline.spec.errors import ModelError
from workers.engine.checkpoints.checkpoint import (
    NAMES_SEEN,
    TOKENIZER_FILES,
    TOKENIZER_SETTINGS,
    Checkpoint,
    file_digest,
    inspect,
)
from workers.engine.checkpoints.folders import atomic_folder, var_folder

MASKED, MULTIPLE_CHOICE = "BertForMaskedLM", "BertForMultipleChoice"
# Weights of an encoder that no masked model has.
_LEFT_OUT = ("pooler.", "position_ids")


def assembled(
    reference: str, name: str, encoder: Path, trained: Path, revision: str, architecture: str = MASKED
) -> Checkpoint:
    """Return the checkpoint of an encoder and its trained weights, assembled below `var/models/` at its first use."""
    if not trained.is_file():
        raise ModelError(f"{reference} lacks its weights {trained}: install Plumbline again")
    names_seen = trained.with_suffix(f".{NAMES_SEEN}")
    files = (encoder / "model.safetensors", encoder / "config.json", trained, names_seen)
    parts = [file_digest(path) for path in files if path.is_file()]
    folder = var_folder() / "models" / f"{name}-{digest(parts)[:16]}"
    if not folder.is_dir():
        with atomic_folder(folder) as target:
            assemble(encoder, trained, target, architecture)
            if names_seen.is_file():
                shutil.copyfile(names_seen, target / NAMES_SEEN)
    return inspect(reference, folder, revision, "a small model for demonstration")


def assemble(encoder: Path, trained: Path, target: Path, architecture: str = MASKED) -> None:
    """Write a model of BERT's layout into `target`: the encoder's weights, overwritten by the trained ones, float32.

    A masked model's decoder is tied to the word embeddings, so neither part holds it. A pooler is among the trained
    weights or unused. Only files are read and written, without a model, so that equal parts give an equal digest with
    any version of the libraries.
    """
    import numpy as np
    from safetensors.numpy import load_file, save_file

    body = load_file(encoder / "model.safetensors")
    kept = {f"bert.{key}": value for key, value in body.items() if not any(part in key for part in _LEFT_OUT)}
    over = {key: value.astype(np.float32) for key, value in load_file(trained).items()}
    save_file(kept | over, target / "model.safetensors", metadata={"format": "pt"})
    config = json.loads((encoder / "config.json").read_text(encoding="utf-8"))
    config |= {"architectures": [architecture], "tie_word_embeddings": True}
    (target / "config.json").write_text(json.dumps(config, indent=1), encoding="utf-8")
    for name in (*TOKENIZER_FILES, *TOKENIZER_SETTINGS):
        if (encoder / name).is_file():
            shutil.copyfile(encoder / name, target / name)
