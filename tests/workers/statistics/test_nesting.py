import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workers.statistics.nesting import nested_means

NAN = np.nan


def test_each_level_is_averaged_before_the_next() -> None:
    """Unit 0 has the frames {0, 4} and {6}: (2 + 6)/2 = 4. Unit 1 has one item."""
    found = nested_means(np.array([[0.0, 4.0, 6.0, 10.0]]), [0, 0, 0, 1], [0, 0, 1, 2])
    assert found.means.by_unit.tolist() == [[4.0, 10.0]]
    assert (found.n.tolist(), found.n_frames.tolist()) == ([4], [3])


def test_what_is_missing_is_left_out_on_its_level() -> None:
    found = nested_means(np.array([[NAN, 4.0, NAN, NAN]]), [0, 0, 0, 1], [0, 0, 1, 2])
    assert found.means.by_unit == pytest.approx(np.array([[4.0, NAN]]), nan_ok=True)
    assert (found.n.tolist(), found.n_frames.tolist()) == ([1], [1])


def test_without_numbers_each_template_is_a_unit_of_its_own() -> None:
    values = np.random.default_rng(0).normal(size=(3, 5))
    assert nested_means(values).means.by_unit == pytest.approx(values)


@pytest.mark.parametrize("numbers", [{"units": [0, 1]}, {"frames": [0, 1]}])
def test_one_number_a_template_is_asked_for(numbers: dict[str, list[int]]) -> None:
    with pytest.raises(ValueError, match="3 templates but units"):
        nested_means(np.zeros((1, 3)), **numbers)


@settings(deadline=None, max_examples=40)
@given(order=st.permutations(range(8)), seed=st.integers(0, 1000))
def test_copies_of_a_wording_change_nothing(order: list[int], seed: int) -> None:
    values = np.random.default_rng(seed).normal(size=(2, 8))
    units, frames = np.array([0, 0, 0, 1, 1, 2, 2, 2]), np.arange(8)
    twice = [*order, order[0]]
    found = nested_means(values[:, twice], units[twice], frames[twice])
    assert found.means.by_unit == pytest.approx(nested_means(values, units, frames).means.by_unit)
