import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.statistics import blocks

NAN = np.nan


def test_frames_that_differ_in_a_quantifier_form_one_unit() -> None:
    frames = {"All women are A.": 0, "Most women are A.": 0, "Many women are A.": 0, "Women should be A.": 1}
    summed = blocks(np.array([[1.0, 2.0, 3.0, 10.0]]), list(frames.values()))
    assert summed.sums.tolist() == [[6.0, 10.0]]
    assert summed.counts.tolist() == [[3.0, 1.0]]
    assert (summed.n[0], summed.n_units[0]) == (4, 2)


def test_the_mean_is_over_items_so_that_a_larger_block_weighs_more() -> None:
    assert blocks(np.array([[1.0, 2.0, 3.0, 10.0]]), [0, 0, 0, 1]).means.tolist() == [4.0]


def test_an_item_that_cannot_be_scored_enters_neither_sum_nor_count() -> None:
    summed = blocks(np.array([[1.0, NAN, 5.0], [NAN, NAN, 7.0]]), [0, 0, 1])
    assert summed.sums.tolist() == [[1.0, 5.0], [0.0, 7.0]]
    assert summed.n.tolist() == [2, 1]
    assert summed.n_units.tolist() == [2, 1]


def test_without_units_every_template_is_its_own() -> None:
    assert blocks(np.zeros((1, 3))).n_units.tolist() == [3]


def test_a_cell_without_any_item_has_no_mean() -> None:
    assert np.isnan(blocks(np.full((1, 2), NAN)).means).all()
    assert np.isnan(blocks(np.empty((1, 0))).means).all()


def test_cells_are_grouped_by_their_number_of_units_whichever_these_are() -> None:
    values = np.array([[1.0, 2.0, NAN, 4.0], [NAN, 2.0, 3.0, 4.0], [1.0, NAN, NAN, NAN], [1.0, 2.0, 3.0, 4.0]])
    groups = {
        group.sums.shape[1]: (cells.tolist(), group.sums.tolist()) for cells, group in blocks(values).by_n_units()
    }
    assert groups == {
        1: ([2], [[1.0]]),
        3: ([0, 1], [[1.0, 2.0, 4.0], [2.0, 3.0, 4.0]]),
        4: ([3], [[1.0, 2.0, 3.0, 4.0]]),
    }


def test_a_sum_of_zero_is_no_missing_unit() -> None:
    assert blocks(np.array([[0.0, 1.0, -1.0]]), [0, 1, 1]).n_units.tolist() == [2]


@given(order=st.permutations(range(5)))
def test_the_order_of_the_templates_does_not_matter(order: list[int]) -> None:
    values, units = np.array([[1.0, 2.0, NAN, 8.0, 16.0]]), np.array([3, 1, 1, 2, 3])
    assert np.array_equal(blocks(values[:, order], units[order]).sums, blocks(values, units).sums)


def test_a_unit_is_needed_for_each_template() -> None:
    with pytest.raises(ValueError, match="3 templates but units of shape"):
        blocks(np.zeros((1, 3)), [0, 1])


def test_an_infinite_value_is_refused() -> None:
    with pytest.raises(ValueError, match="mark an item that cannot be scored with NaN"):
        blocks(np.array([[1.0, -np.inf]]))
