"""The test of two sets of words that exchange their members (effect sizes)."""

from math import comb, inf, sqrt

from plumbline.spec.power.attainable_p import EXACT_SPLITS, of_splits
from plumbline.spec.power.tests import PlannedTest, Shape


def of_sets(
    first: int, second: int, *, draws: int, alpha: float, margin: float, members: int = 1, cut: bool = False
) -> PlannedTest:
    """Plan the test of two sets of this many words.

    With `cut` the larger set is cut to the size of the smaller one, and p is twice the mean p of the cuts. The words'
    values have a standard deviation of 1 within a set, so the spread follows from the numbers alone.
    """
    size = (min(first, second),) * 2 if cut else (first, second)
    total = sum(size)
    doubled = 2 if cut and first != second else 1
    exact = comb(total, size[0]) <= EXACT_SPLITS
    return PlannedTest(
        statistic="effect_size",
        labels={},
        effect="an effect size of {}",
        unit="word",
        n_units=total,
        given=f"{first} and {second} words",
        members=members,
        alpha=alpha,
        margin=margin,
        least_p=min(1.0, doubled * of_splits(*size, draws, EXACT_SPLITS)),
        member="comparison",
        unanimous="every word of one set is above all words of the other" if exact else "",
        # n_units x variance of the difference of two means.
        spread=sqrt(total * (1 / size[0] + 1 / size[1])) if min(size) else inf,
        is_known=True,
        largest=2.0,
        shape=_standardised(*size),
    )


def _standardised(n: int, m: int) -> Shape:
    """Return the shape of an effect size, which stays below 2.

    It divides by the standard deviation of both sets together, with n + m - 1 in the divisor.
    """
    total = n + m
    within, between = (total - 2) / max(total - 1, 1), n * m / (total * max(total - 1, 1))

    def effect(difference: float) -> float:
        return difference / sqrt(within + between * difference**2)

    def straight(d: float) -> float:
        room = 1 - between * d**2
        return d * sqrt(within / room) if room > 0 else inf

    return Shape(straight, effect)
