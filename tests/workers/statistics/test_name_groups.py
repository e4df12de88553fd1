"""Names that are drawn within their groups, or after their groups."""

import numpy as np
import pytest

from workers.statistics.intervals import expanded_tail
from workers.statistics.name_groups import draw_names, numbered_groups

FEW, MANY = np.repeat(np.arange(3), (5, 6, 7)), np.repeat(np.arange(8), 6)


def of_groups(groups: np.ndarray[tuple[int], np.dtype[np.intp]], weights: np.ndarray) -> np.ndarray:
    return np.stack([weights[groups == group].sum(axis=0) for group in range(groups.max() + 1)])


def test_few_groups_keep_their_sizes() -> None:
    found = draw_names(FEW, seed=0, resamples=50)
    assert (of_groups(FEW, found.weights).T == [5, 6, 7]).all()
    assert found.weights.std(axis=1).min() > 0
    assert (found.units, found.tail) == (18, expanded_tail(18, 0.95))


@pytest.mark.parametrize("whole", [True, False])
def test_many_groups_are_drawn_with_all_or_some_of_their_names(whole: bool) -> None:
    found = draw_names(MANY, seed=0, resamples=50, whole_groups=whole)
    times = of_groups(MANY, found.weights) / 6
    assert (times == times.round()).all()
    assert (times.sum(axis=0) == 8).all()
    assert (found.weights == np.repeat(times, 6, axis=0)).all() == whole
    assert (found.units, found.tail) == (8, expanded_tail(8, 0.95))


def test_names_without_a_group_are_one() -> None:
    assert numbered_groups(("men", "", "women", "men", "")).tolist() == [1, 0, 2, 1, 0]
