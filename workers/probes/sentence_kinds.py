"""Templates by their frames and kinds of sentence, as numbers."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from plumbline.spec.grammar import frame
from plumbline.spec.materials import Materials


def frame_numbers(templates: Sequence[str]) -> npt.NDArray[np.int64]:
    """Return for each template the number of its frame."""
    return numbered([frame(template) for template in templates])


def kind_numbers(materials: Materials) -> npt.NDArray[np.int64]:
    """Return for each template the number of its kind of sentence; without kinds, of its frame."""
    return numbered(materials.kinds) if materials.kinds else frame_numbers(materials.templates)


def numbered(labels: Sequence[str]) -> npt.NDArray[np.int64]:
    """Return for each label its number, in the order of first occurrence."""
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(label, len(numbers)) for label in labels], dtype=np.int64)
