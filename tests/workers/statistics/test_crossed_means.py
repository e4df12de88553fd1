"""The mean of a table of word families and kinds of sentence, both of which are samples."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from scipy import stats

from workers.statistics.crossed_means import crossed_mean_of_table, fill_missing

NAN = np.nan


def test_by_hand() -> None:
    """[[1, 2], [3, 6]]: row means 1.5 and 4.5, column means 2 and 4, mean 3; the residuals are +-0.5."""
    found = crossed_mean_of_table(np.array([[1.0, 2.0], [3.0, 6.0]]))
    of_rows, of_columns, of_cells = 4.5 / 2, 2.0 / 2, 1.0 / 1 / 4
    assert found.value == 3.0
    assert found.standard_error**2 == pytest.approx(of_rows + of_columns - of_cells)
    degrees = 3.0**2 / (of_rows**2 + of_columns**2 + of_cells**2)
    assert found.degrees == pytest.approx(max(degrees, 1.0))
    assert found.p_value == pytest.approx(2 * stats.t.sf(3 / np.sqrt(3), found.degrees))


def test_a_null_that_is_not_zero_and_a_margin() -> None:
    table = 0.5 + 0.02 * np.random.default_rng(0).normal(size=(8, 9))
    found = crossed_mean_of_table(table, null=0.5, margin=0.05)
    assert found.p_value > 0.05
    assert found.equivalence_p < 0.01
    assert np.isnan(crossed_mean_of_table(table).equivalence_p)


def test_one_row_or_one_column_has_a_mean_and_no_test() -> None:
    found = crossed_mean_of_table(np.array([[1.0, 2.0, 3.0]]))
    assert found.value == 2.0
    assert np.isnan([found.ci_low, found.p_value, found.equivalence_p]).all()


def test_a_missing_cell_is_what_its_row_and_column_add_up_to() -> None:
    table = np.add.outer([0.0, 1.0, 5.0], [0.0, 10.0, 20.0])
    missing = table.copy()
    missing[1, 2] = NAN
    assert fill_missing(missing) == pytest.approx(table)


def test_rows_and_columns_without_a_value_are_left_out() -> None:
    table = np.array([[1.0, NAN, 3.0], [NAN, NAN, NAN], [2.0, NAN, 4.0]])
    assert fill_missing(table).tolist() == [[1.0, 3.0], [2.0, 4.0]]


def tables(rows: int, columns: int) -> Iterator[np.ndarray[Any, np.dtype[np.float64]]]:
    """A thousand tables of nothing but chance, as much between rows as between columns and between cells."""
    random = np.random.default_rng(rows * columns)
    for _ in range(1000):
        yield random.normal(size=(rows, 1)) + random.normal(size=(1, columns)) + random.normal(size=(rows, columns))


@pytest.mark.parametrize(("rows", "columns"), [(8, 24), (48, 8), (12, 12), (7, 7)])
def test_a_true_null_is_rejected_in_about_five_of_hundred(rows: int, columns: int) -> None:
    assert np.mean([crossed_mean_of_table(table).p_value <= 0.05 for table in tables(rows, columns)]) < 0.065


def test_words_alone_as_the_units_reject_far_too_often() -> None:
    """All words share what the kinds of sentence do."""
    assert np.mean([stats.ttest_1samp(table.mean(axis=1), 0).pvalue <= 0.05 for table in tables(48, 8)]) > 0.3


@pytest.mark.parametrize(("value", "p", "equivalence_p"), [(1.0, 2**-6, 1.0), (0.5, 1.0, 2**-7)])
def test_a_table_whose_values_are_all_alike_has_the_p_of_its_signs_and_no_interval(
    value: float, p: float, equivalence_p: float
) -> None:
    """Seven rows and twelve columns that all lie on one side of one half, or on it."""
    found = crossed_mean_of_table(np.full((7, 12), value), null=0.5, margin=0.05)
    assert (found.value, found.p_value, found.equivalence_p) == (value, p, equivalence_p)
    assert np.isnan([found.ci_low, found.ci_high]).all()
