import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from workers.statistics.correlations.kendall import kendall_matrix, kendall_rows
from workers.statistics.units import Floats

NAN = np.nan
# Few values, so that there are ties; some of them unknown.
rows = arrays(np.float64, (3, 6), elements=st.sampled_from([0.0, 1.0, 2.0, NAN]))


def scipys(left: Floats, right: Floats) -> float:
    known = ~(np.isnan(left) | np.isnan(right))
    return float(stats.kendalltau(left[known], right[known]).statistic) if known.sum() > 1 else NAN


@settings(deadline=None)
@given(rows, rows)
def test_each_row_meets_each_row_as_in_scipy(left: Floats, right: Floats) -> None:
    expected = [[scipys(one, other) for other in right] for one in left]
    np.testing.assert_allclose(kendall_matrix(left, right), expected, atol=1e-12)


@settings(deadline=None)
@given(rows, rows)
def test_rows_meet_their_own_row_only(left: Floats, right: Floats) -> None:
    np.testing.assert_allclose(kendall_rows(left, right), np.diag(kendall_matrix(left, right)), atol=1e-12)


def test_one_swap_of_neighbours_among_four_items() -> None:
    # 5 of 6 pairs stand alike, 1 the other way round.
    assert kendall_rows(np.array([[1.0, 2, 3, 4]]), np.array([[1.0, 3, 2, 4]])) == pytest.approx([4 / 6])


def test_what_is_all_tied_has_no_tau() -> None:
    assert np.isnan(kendall_rows(np.array([[1.0, 1, 1]]), np.array([[1.0, 2, 3]]))).all()


def test_both_sides_rank_the_same_items() -> None:
    with pytest.raises(ValueError, match="3 items against 2"):
        kendall_matrix(np.zeros((1, 3)), np.zeros((1, 2)))
