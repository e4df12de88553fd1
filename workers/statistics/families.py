"""Families of tests that are corrected together."""

import numpy as np
import numpy.typing as npt
from scipy import stats

from workers.statistics.units import Floats, Positions


def q_values(p: Floats, family: npt.ArrayLike) -> Floats:
    """Return q-values [n] by the false discovery rate within each family, from p [n] and family labels [n].

    A p of NaN stays NaN and does not count in its family.
    Source: Benjamini and Hochberg 1995, "Controlling the False Discovery Rate", JRSS B 57.
    """
    q = np.full(p.shape, np.nan)
    for members in family_members(family, ~np.isnan(p)):
        # A family of one has q = p. Calling the library for each of thousands would take seconds.
        q[members] = stats.false_discovery_control(p[members], method="bh") if len(members) > 1 else p[members]
    return q


def family_members(family: npt.ArrayLike, tested: npt.NDArray[np.bool_]) -> list[Positions]:
    """Return the positions of the tested members by family, without empty families.

    Raises ValueError on unequal lengths.
    """
    labels = np.asarray(family)
    if labels.shape != tested.shape:
        raise ValueError(f"{len(tested)} tests but family labels of shape {labels.shape}: give one label per test.")
    positions = np.flatnonzero(tested)
    if not positions.size:
        return []
    _, code = np.unique(labels[positions], return_inverse=True)
    return np.split(positions[np.argsort(code, kind="stable")], np.cumsum(np.bincount(code))[:-1])
