"""Names permuted within their groups, against all orders worked out one by one."""

from itertools import permutations, product

import numpy as np
import pytest
from scipy import stats

from workers.statistics.correlations.bridge_correlations import correlations, indicators
from workers.statistics.name_groups import draw_names
from workers.statistics.permutation_tests import within_group_correlations as under_test
from workers.statistics.permutation_tests.within_group_correlations import draws_needed, permute_names
from workers.statistics.units import Floats, Positions
from workers.statistics.verdicts import Effects, judge

RANDOM = np.random.default_rng(0)
GROUPS = np.array([0, 1, 0, 1, 0, 1, 1])


def centred(side: Floats) -> Floats:
    return np.stack([one - side[group == GROUPS].mean() for one, group in zip(side, GROUPS, strict=True)])


def exact(x: Floats, y: Floats) -> float:
    """Over the 3! x 4! orders of seven names in two groups."""
    x, y = centred(x), centred(y)
    women, men = np.flatnonzero(GROUPS == 0), np.flatnonzero(GROUPS == 1)
    orders = list(product(permutations(women), permutations(men)))
    products = []
    for first, second in orders:
        moved = np.empty(7)
        moved[women], moved[men] = x[list(first)], x[list(second)]
        products.append(abs(moved @ y))
    return float(np.mean(np.array(products) >= abs(x @ y) - 1e-9))


def test_p_is_the_share_of_the_orders_within_groups_that_reach_it() -> None:
    x, y = RANDOM.normal(size=(7, 2)), RANDOM.normal(size=(7, 3))
    found = permute_names(x, y, GROUPS, seed=0, draws=20_000)
    for row in range(2):
        for column in range(3):
            assert found.p_value[row, column] == pytest.approx(exact(x[:, row], y[:, column]), abs=0.02)
    # Of 144 orders one is the order as it is.
    assert found.least_p == pytest.approx(1 / 144)


@pytest.mark.parametrize("at_once", [1, 500, 1 << 22])
def test_one_group_is_the_permutation_test_of_the_plain_correlation(
    monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(under_test, "AT_ONCE", at_once)
    x, y = RANDOM.normal(size=(40, 3)), RANDOM.normal(size=(40, 2))
    found = permute_names(x, y, np.zeros(40, dtype=np.intp), seed=0, draws=4999)
    expected = [[stats.pearsonr(x[:, row], y[:, column]).pvalue for column in range(2)] for row in range(3)]
    np.testing.assert_allclose(found.p_value, expected, atol=0.03)
    assert found.least_p == 1 / 5000


def test_a_column_that_only_distinguishes_the_groups_has_no_p() -> None:
    found = permute_names(GROUPS[:, None] * 1.0, RANDOM.normal(size=(7, 2)), GROUPS, seed=0, draws=99)
    assert np.isnan(found.p_value).all()


def test_a_large_family_gets_more_draws_as_far_as_they_can_be_afforded() -> None:
    assert draws_needed(700, 540, 540, least=9999) == 21_600
    assert draws_needed(700, 60_000, 60_000, least=9999) == 23_809
    assert draws_needed(700, 600_000, 600_000, least=9999) == 9999


def by_groups(groups: Positions, targets: int, features: int) -> tuple[Floats, Floats]:
    """Both sides depend on the group and on nothing else."""
    x, y = (RANDOM.normal(size=(len(groups), columns)) for columns in (targets, features))
    return x + 2 * groups[:, None], y + 2 * groups[:, None]


def test_group_membership_alone_ties_all_names_and_none_within_the_groups() -> None:
    """The reason for both correlations: 60 women and 60 men, and nothing but their gender on either side."""
    groups, shared, present = np.repeat([0, 1], 60), 0.0, 0
    for seed in range(20):
        x, y = by_groups(groups, 10, 10)
        over_all = correlations(x, y, draw_names(groups, seed=seed, resamples=100))
        within = correlations(x, y, draw_names(groups, seed=seed, resamples=0), indicators(groups))
        test = permute_names(x, y, groups, seed=seed, draws=199)
        shared += (over_all.low > 0).mean()
        effects = Effects(
            estimate=within.value.ravel(),
            p_value=test.p_value.ravel(),
            equivalence_p=np.full(100, np.nan),
            least_p=np.full(100, test.least_p),
            smallest_effect=np.full(100, np.nan),
            n_units=np.full(100, 120),
            family=np.arange(100).astype(str),
        )
        present += judge(effects).verdict.count("present")
    assert shared / 20 > 0.95
    assert present / 2000 <= 0.06
