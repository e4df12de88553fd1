"""Names nested in groups (gender, race, decade of birth), and how the names of a bridge are resampled."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from workers.statistics.intervals import expanded_tail, times_drawn
from workers.statistics.units import Positions

FEWEST_GROUPS = 7
"""From this number on, the groups themselves are a sample and are drawn. Fewer groups are fixed."""


@dataclass(frozen=True)
class Drawn:
    """Resamples of the names of a bridge."""

    weights: npt.NDArray[np.float32]  # [names, resamples]: how often each name is drawn
    tail: float
    """The probability that an expanded percentile interval cuts off at each end."""
    units: int
    """The number of groups if groups are drawn, otherwise of names."""

    @property
    def unit(self) -> str:
        return "name" if self.units == len(self.weights) else "group of names"


def draw_names(
    groups: Positions, *, seed: int, resamples: int, level: float = 0.95, whole_groups: bool = False
) -> Drawn:
    """Draw names with replacement: within each group, or groups first if there are at least seven.

    `groups` [names] numbers the group of each name from 0. A group that is drawn k times contributes k times its number
    of draws of its names. With `whole_groups` it contributes each of its names k times.
    Source: METHODS 1a; Davison and Hinkley 1997, section 3.8.
    """
    sizes = np.bincount(groups)
    generator = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(1, len(groups))))
    nested = len(sizes) >= FEWEST_GROUPS
    times = times_drawn(len(sizes), resamples, seed).T if nested else np.ones((resamples, len(sizes)))
    units = len(sizes) if nested else len(groups)
    weights = np.empty((len(groups), resamples), dtype=np.float32)
    for group, size in enumerate(sizes):
        own, drawn = groups == group, times[:, group].astype(np.int64)
        even = np.full(size, 1 / size)
        weights[own] = drawn if nested and whole_groups else generator.multinomial(drawn * size, even).T
    return Drawn(weights, expanded_tail(units, level) if units > 1 else np.nan, units)


def numbered_groups(labels: tuple[str, ...]) -> Positions:
    """Return the number of each name's group, [names]. Names without a group form one group."""
    return np.asarray(np.unique(np.array(labels, dtype=str), return_inverse=True)[1], dtype=np.intp)
