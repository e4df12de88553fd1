"""Pure statistics: arrays in, arrays out. No database, no Django, no model."""

from workers.statistics.estimates import Estimates, estimate_cells
from workers.statistics.families import q_values
from workers.statistics.intervals import bootstrap_interval
from workers.statistics.permutations import SignFlip, sign_flip
from workers.statistics.units import Blocks, blocks

__all__ = ["Blocks", "Estimates", "SignFlip", "blocks", "bootstrap_interval", "estimate_cells", "q_values", "sign_flip"]
