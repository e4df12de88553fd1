"""Nested units: items in frames, frames in units. Each level is averaged before the next."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from workers.statistics.units import Blocks, Floats, blocks


@dataclass(frozen=True)
class Nested:
    """The mean of each unit and cell, and the numbers of items and frames behind them, [cells]."""

    means: Blocks
    """The count is 1 if a unit has a scorable item, otherwise 0."""
    n: npt.NDArray[np.int64]
    n_frames: npt.NDArray[np.int64]


def nested_means(values: Floats, units: npt.ArrayLike | None = None, frames: npt.ArrayLike | None = None) -> Nested:
    """Return the mean of each unit for values [cells, templates], over its frames' means over their templates.

    `units` and `frames` [templates] number the unit and the frame of each template (None: each template is its own). A
    frame that is split between units counts in each. NaN marks an item that cannot be scored; it is left out, and so is
    a frame without a scorable item. Raises ValueError if shapes disagree or a value is infinite.
    """
    of_units = np.arange(values.shape[1]) if units is None else np.asarray(units)
    of_frames = np.arange(values.shape[1]) if frames is None else np.asarray(frames)
    if of_units.shape != values.shape[1:] or of_frames.shape != values.shape[1:]:
        raise ValueError(
            f"{values.shape[1]} templates but units of shape {of_units.shape}: give one unit per template."
        )
    (_, unit_of_frame), frame = _pairs(of_frames, of_units)
    items = blocks(values, frame)
    inner = blocks(items.by_unit, unit_of_frame)
    return Nested(blocks(inner.by_unit), n=items.n, n_frames=inner.n)


def _pairs(frames: npt.NDArray[np.int64], units: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], ...]:
    """Return the distinct pairs of a frame and a unit, [2, pairs], and the pair number of each template."""
    distinct, number = np.unique(np.stack([frames, units]), axis=1, return_inverse=True)
    return distinct, np.asarray(number).ravel()
