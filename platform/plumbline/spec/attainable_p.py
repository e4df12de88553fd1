"""The smallest two-sided p that a test can return, by its number of units: what a plan can show at all."""

import math

EXACT_UP_TO = 24
"""Units whose sign patterns are counted all: two halves of at most 4,096 sums each."""
DRAWS_A_MEMBER = 40
"""Random flips for each member of the largest family, or q could not fall below 0.05 for a single one of them."""
EXACT_SPLITS = 200_000
"""Splits of two sets of words that are enumerated: two sets of ten have 184,756."""


def of_sign_flips(units: int, draws: int, family: int = 1) -> float:
    """All patterns up to 24 units, else random ones: `draws`, or 40 for each member of the family."""
    return 2.0 ** (1 - units) if units <= EXACT_UP_TO else of_draws(max(draws, DRAWS_A_MEMBER * family))


def of_splits(first: int, second: int, draws: int, exact_up_to: int) -> float:
    """Of two sets that exchange their members: all splits up to `exact_up_to`, else `draws` random ones.

    The observed split is one of them, and with sets of one size its mirror image another.
    """
    splits = math.comb(first + second, first)
    return (1 + (first == second)) / splits if splits <= exact_up_to else of_draws(draws)


def of_orders(units: int, draws: int) -> float:
    """Of random orders of the units; few units have fewer orders than there are draws."""
    return max(of_draws(draws), math.exp(-math.lgamma(units + 1)))


def of_draws(draws: int) -> float:
    """Of `draws` random changes; the observed one counts among them."""
    return 1 / (draws + 1)
