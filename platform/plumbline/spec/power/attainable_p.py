"""The smallest two-sided p-value that a test can return, given its number of units."""

import math

EXACT_UP_TO = 24
"""The largest number of units whose sign patterns are all enumerated (as two halves of at most 4,096 sums each)."""
DRAWS_A_MEMBER = 40
"""Random flips per member of the largest family: with fewer, a single member's q could never fall below 0.05."""
EXACT_SPLITS = 200_000
"""The largest number of splits of two word sets that are enumerated. Two sets of ten words have 184,756 splits."""


def of_sign_flips(units: int, draws: int, family: int = 1) -> float:
    """Return the smallest p of a sign-flip test: all patterns up to 24 units, else `draws` or 40 random flips per
    member.
    """
    return 2.0 ** (1 - units) if units <= EXACT_UP_TO else of_draws(max(draws, DRAWS_A_MEMBER * family))


def of_splits(first: int, second: int, draws: int, exact_up_to: int) -> float:
    """Return the smallest p of a test that exchanges the members of two sets: all splits up to `exact_up_to`, else
    `draws`.

    The observed split counts. Between sets of equal size its mirror image counts, too.
    """
    splits = math.comb(first + second, first)
    return (1 + (first == second)) / splits if splits <= exact_up_to else of_draws(draws)


def of_orders(units: int, draws: int) -> float:
    """Return the smallest p of a test on random orders of the units. Few units have fewer orders than `draws`."""
    return max(of_draws(draws), math.exp(-math.lgamma(units + 1)))


def of_draws(draws: int) -> float:
    """Return the smallest p of a test with `draws` random changes, where the observed data count as one more."""
    return 1 / (draws + 1)
