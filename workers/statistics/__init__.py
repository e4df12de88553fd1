"""Pure statistics on numpy arrays, without a database, Django or a model."""

from workers.statistics.effect_sizes import effect_interval, effect_size, sampling_variance
from workers.statistics.estimates import Estimates, estimate_cells
from workers.statistics.families import q_values
from workers.statistics.intervals import bootstrap_interval
from workers.statistics.permutation_tests.set_permutations import SetTest, permute_sets
from workers.statistics.permutation_tests.sign_flip_tests import SignFlip, sign_flip
from workers.statistics.random_effects import Combined, combine
from workers.statistics.units import Blocks, blocks

__all__ = [
    "Blocks",
    "Combined",
    "Estimates",
    "SetTest",
    "SignFlip",
    "blocks",
    "bootstrap_interval",
    "combine",
    "effect_interval",
    "effect_size",
    "estimate_cells",
    "permute_sets",
    "q_values",
    "sampling_variance",
    "sign_flip",
]
