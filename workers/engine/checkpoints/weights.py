"""Contents of a checkpoint's weight files, read from their headers."""

from collections import Counter
from dataclasses import dataclass
from math import prod

from safetensors import SafetensorError, safe_open

from plumbline.spec.errors import ModelError
from workers.engine.checkpoints.checkpoint import Checkpoint, weight_files


@dataclass(frozen=True)
class Weights:
    parameters: int
    """The number of floating-point numbers. Tied ones are stored once and count once."""
    dtype: str
    """Number formats, the commonest first: `F16`, or `F32, BF16`."""
    size: int
    """The size of the files in bytes."""


def weights_of(checkpoint: Checkpoint) -> Weights:
    """Return the contents of the weight files. Raises ModelError for a damaged file."""
    files = weight_files(checkpoint.reference, checkpoint.folder)
    numbers: Counter[str] = Counter()
    for file in files:
        try:
            with safe_open(file, framework="numpy") as tensors:
                for name in tensors.keys():  # noqa: SIM118 -- it is no mapping
                    part = tensors.get_slice(name)
                    numbers[part.get_dtype()] += prod(part.get_shape())
        except SafetensorError as error:
            raise ModelError(
                f"the weight file {file.name} of {checkpoint.reference} is damaged: fetch or save the model again"
            ) from error
    floating = Counter({dtype: count for dtype, count in numbers.items() if "F" in dtype})
    dtypes = ", ".join(dtype for dtype, _ in floating.most_common())
    return Weights(floating.total(), dtypes, sum(file.stat().st_size for file in files))
