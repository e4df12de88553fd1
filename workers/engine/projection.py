"""A projection of a layer's states: an affine map in a safetensors file that names the weights it is for."""

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from plumbline.spec.digests import digest
from plumbline.spec.errors import ModelError
from workers.engine.checkpoints.checkpoint import Checkpoint, Kind, file_digest, inspect

PROJECTED = (Kind.MASKED, Kind.CAUSAL, Kind.MULTIPLE_CHOICE, Kind.CLASSIFIER, Kind.ENCODER)
LAST = "last"
INSIDE = "projections"
"""The folder of projections in a fine-tuned model that was trained with them."""
FORMAT = "plumbline projection 1"
FACTS = "projection"
"""The key of the file's metadata."""


@dataclass(frozen=True)
class Projection:
    """x -> matrix @ x + offset, for the states of one layer."""

    matrix: npt.NDArray[np.float32]
    """[H, H]"""
    offset: npt.NDArray[np.float32]
    """[H]"""
    layer: int | None
    """The layer, counted from 0 after the embeddings; None: the last, whose states the task head reads."""

    @property
    def size(self) -> int:
        return len(self.offset)


def write_projection(path: Path, projection: Projection, weights: str, source: str) -> None:
    """Save the map for the weights of this digest. `source` says what the map does and for which model.

    Equal maps give equal files.
    """
    layer = LAST if projection.layer is None else str(projection.layer)
    facts = {"format": FORMAT, "layer": layer, "source": source, "weights": weights}
    tensors = {"matrix": np.ascontiguousarray(projection.matrix), "offset": projection.offset}
    save_file({name: array.astype(np.float32) for name, array in tensors.items()}, path, metadata=_as_one(facts))


def read_projection(path: Path) -> Projection:
    """Load a map. Raises ModelError for a damaged file and for a file that is no projection."""
    facts = _facts(path)
    with safe_open(path, framework="numpy") as file:
        matrix, offset = file.get_tensor("matrix"), file.get_tensor("offset")
    if matrix.shape != (len(offset),) * 2:
        raise ModelError(
            f"the projection {path} has a matrix of {' by '.join(map(str, matrix.shape))} for {len(offset)} numbers:"
            " make the variant again"
        )
    return Projection(matrix, offset, None if facts["layer"] == LAST else int(facts["layer"]))


def projected(checkpoint: Checkpoint, path: Path) -> Checkpoint:
    """Return the checkpoint with one more projection, which becomes part of its digest.

    Raises ModelError for a projection made for other weights, and for a model that has no states to project.
    """
    facts = _facts(path)
    check_kind(checkpoint)
    if facts["weights"] != checkpoint.digest:
        raise ModelError(
            f"the projection {path} ({facts['source']}) was made for the weights {facts['weights'][:12]}, but"
            f" {checkpoint.reference} has {checkpoint.digest[:12]}: make a variant of this model"
        )
    both = digest([checkpoint.digest, file_digest(path)])
    return replace(checkpoint, digest=both, projections=(*checkpoint.projections, path))


def keep_projections(paths: Sequence[Path], folder: Path) -> None:
    """Copy the projections of a fine-tuning into the new model's folder, now for the new weights."""
    shutil.rmtree(folder / INSIDE, ignore_errors=True)
    for number, path in enumerate(paths):
        weights = inspect_projected(str(folder), folder).digest
        (folder / INSIDE).mkdir(exist_ok=True)
        write_projection(folder / INSIDE / f"{number:02}.safetensors", read_projection(path), weights, source_of(path))


def source_of(path: Path) -> str:
    """Return what the projection does, and for which model."""
    return _facts(path)["source"]


def check_kind(checkpoint: Checkpoint) -> None:
    """Raise ModelError for a model that has no states to project."""
    if checkpoint.kind not in PROJECTED:
        raise ModelError(
            f"{checkpoint.reference} is of the kind {checkpoint.kind.replace('_', ' ')}, whose states cannot be"
            " projected: choose a masked, causal or multiple-choice model, or an encoder"
        )


def inspect_projected(reference: str, folder: Path, revision: str = "") -> Checkpoint:
    """Check a model's folder as `inspect` does, and the projections in it, in the order of their names."""
    found = inspect(reference, folder, revision)
    for path in sorted((folder / INSIDE).glob("*.safetensors")):
        found = projected(found, path)
    return found


def _as_one(facts: Mapping[str, str]) -> dict[str, str]:
    """Return the metadata under one key. safetensors writes several in any order, and equal maps give equal files."""
    return {FACTS: json.dumps(facts, sort_keys=True)}


def _facts(path: Path) -> Mapping[str, str]:
    try:
        with safe_open(path, framework="numpy") as file:
            facts: Mapping[str, str] = json.loads((file.metadata() or {}).get(FACTS, "{}"))
            names = set(file.keys())
    except (SafetensorError, OSError, ValueError) as error:
        raise ModelError(f"the projection {path} is damaged or missing ({error}): make the variant again") from error
    if facts.get("format") != FORMAT or names != {"matrix", "offset"}:
        raise ModelError(f"{path} is no projection of this release: make the variant again")
    return facts
