"""Shares with their intervals, by other implementations and by all outcomes."""

from collections.abc import Callable
from math import comb

import pytest
from statsmodels.stats.proportion import proportion_confint

from plumbline.spec.shares import Share, exact, wilson

NEAR_ONE = [0.5, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99, 0.992, 0.995, 0.999]


def test_the_share_has_wilsons_interval() -> None:
    """Newcombe 1998, Statistics in Medicine 17, table I: 81 of 263 and 0 of 20 by method 3."""
    one, none = wilson(81, 263), wilson(0, 20)
    assert (round(one.low, 4), round(one.high, 4)) == (0.2553, 0.3662)
    assert (round(none.low, 4), round(none.high, 4)) == (0, 0.1611)


@pytest.mark.parametrize(("of", "n"), [(0, 1), (1, 1), (9, 10), (20, 20), (0, 7), (180, 200)])
@pytest.mark.parametrize(("interval", "method"), [(wilson, "wilson"), (exact, "beta")])
def test_an_interval_is_that_of_another_implementation(
    of: int, n: int, interval: Callable[[int, int], Share], method: str
) -> None:
    found = interval(of, n)
    assert found.value == of / n
    assert (found.low, found.high) == pytest.approx(proportion_confint(of, n, method=method), abs=1e-12)
    assert found.low <= found.value <= found.high


def test_all_of_twenty_by_hand() -> None:
    """The lower limit is the share p with p^20 = 0.025, which is exp(ln(0.025) / 20) = 0.83157."""
    assert exact(20, 20).low == pytest.approx(0.83157, abs=1e-5)


@pytest.mark.parametrize("n", [3, 20, 50])
@pytest.mark.parametrize("true", NEAR_ONE)
def test_the_exact_interval_covers_what_it_claims_for_each_true_share(true: float, n: int) -> None:
    found = {of: exact(of, n) for of in range(n + 1)}
    chance = {of: comb(n, of) * true**of * (1 - true) ** (n - of) for of in found}
    assert sum(chance[of] for of, one in found.items() if one.low <= true <= one.high) >= 0.95
