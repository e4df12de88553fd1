"""Families of tests: what is corrected together."""

import numpy as np
import numpy.typing as npt
from scipy import stats

from workers.statistics.units import Floats, Positions


def q_values(p: Floats, family: npt.ArrayLike) -> Floats:
    """False discovery rate within each family: p [n] and labels [n] give q [n].

    A p-value that is NaN stays NaN and is not counted in its family.
    Source: Benjamini and Hochberg 1995, "Controlling the False Discovery Rate", JRSS B 57.
    """
    q = np.full(p.shape, np.nan)
    for members in family_members(family, ~np.isnan(p)):
        # A member that is alone has q = p: to ask the library for each of thousands takes seconds.
        q[members] = stats.false_discovery_control(p[members], method="bh") if len(members) > 1 else p[members]
    return q


def family_members(family: npt.ArrayLike, tested: npt.NDArray[np.bool_]) -> list[Positions]:
    """The positions of the tested members, family by family; a family without one is left out."""
    labels = np.asarray(family)
    if labels.shape != tested.shape:
        raise ValueError(f"{len(tested)} tests but family labels of shape {labels.shape}: give one label per test.")
    positions = np.flatnonzero(tested)
    if not positions.size:
        return []
    _, code = np.unique(labels[positions], return_inverse=True)
    return np.split(positions[np.argsort(code, kind="stable")], np.cumsum(np.bincount(code))[:-1])
