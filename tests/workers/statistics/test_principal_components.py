"""The leading principal components, against what made the columns."""

import numpy as np
import pytest

from workers.statistics.principal_components import leading_components

RANDOM = np.random.default_rng(0)


def test_two_causes_of_many_columns_are_two_components() -> None:
    causes = RANDOM.normal(size=(200, 2))
    columns = causes @ RANDOM.normal(size=(2, 12)) + RANDOM.normal(0, 1e-3, size=(200, 12))
    found = leading_components(columns)
    assert found.shape == (200, 2)
    assert np.linalg.matrix_rank(np.column_stack([found, causes - causes.mean(axis=0)]), tol=0.1) == 2


def test_they_cover_the_share_of_variance_that_is_asked_for() -> None:
    columns = RANDOM.normal(size=(300, 5)) * [10.0, 5, 2, 1, 0.5]
    whole = ((columns - columns.mean(axis=0)) ** 2).sum()
    for share in (0.5, 0.9, 0.95, 1.0):
        found = leading_components(columns, share=share)
        fewer = found[:, :-1]
        assert (found**2).sum() / whole >= share - 1e-9
        assert (fewer**2).sum() / whole < share


def test_there_are_never_more_than_the_most() -> None:
    assert leading_components(RANDOM.normal(size=(100, 40)), most=3).shape == (100, 3)
    assert leading_components(RANDOM.normal(size=(100, 40)), most=0).shape == (100, 0)


def test_columns_that_do_not_vary_have_none() -> None:
    assert leading_components(np.full((50, 3), 0.1)).shape == (50, 0)


def test_a_missing_value_is_refused() -> None:
    with pytest.raises(ValueError, match="finite"):
        leading_components(np.array([[1.0, np.nan], [2.0, 3.0]]))
