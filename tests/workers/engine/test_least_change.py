"""The least change that puts a word on top: against a solver of quadratic programmes and against column squishing."""

import numpy as np
import numpy.typing as npt
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from tests.workers.engine.squishing import squished
from workers.engine.least_change import least_changes, least_distances

Floats = npt.NDArray[np.float64]


def exact(logits: Floats, targets: list[int], margin: float, first_sorted: int = 256) -> list[float]:
    found = least_changes(torch.from_numpy(logits)[None], torch.tensor([targets]), margin, first_sorted)
    return [float(value) for value in found[0]]


def solved(logits: Floats, target: int, margin: float) -> float:
    """By sequential quadratic programming: no word within the margin of the target."""
    others = np.delete(np.arange(len(logits)), target)
    slopes = np.zeros((len(others), len(logits)))
    slopes[:, target] = 1
    slopes[np.arange(len(others)), others] = -1
    found = minimize(
        lambda change: float(change @ change),
        np.zeros(len(logits)),
        jac=lambda change: 2 * change,
        constraints={"type": "ineq", "fun": lambda x: slopes @ (logits + x) - margin, "jac": lambda _: slopes},
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 500},
    )
    assert found.success
    return float(found.fun)


@pytest.mark.parametrize("seed", range(12))
def test_the_change_is_that_of_a_quadratic_programme(seed: int) -> None:
    rng = np.random.default_rng(seed)
    logits = rng.normal(scale=rng.choice([0.1, 1, 5]), size=rng.integers(2, 9)).round(rng.choice([1, 9]))
    margin = float(rng.choice([0.3, 1, 4]))
    every = list(range(len(logits)))
    np.testing.assert_allclose(
        exact(logits, every, margin), [solved(logits, word, margin) for word in every], atol=1e-6
    )


columns = st.lists(st.floats(-50, 50, width=32), min_size=2, max_size=60).map(np.array)
tied = st.lists(st.sampled_from([-2.0, 0.0, 0.5, 1.0, 3.0]), min_size=2, max_size=60).map(np.array)


@settings(max_examples=200, deadline=None)
@given(logits=columns | tied, margin=st.floats(0.01, 20), first_sorted=st.integers(1, 64))
def test_the_change_is_that_of_column_squishing(logits: Floats, margin: float, first_sorted: int) -> None:
    """However few words are sorted at first, and however many are tied."""
    every = list(range(len(logits)))
    expected = [squished(logits, word, margin) for word in every]
    np.testing.assert_allclose(exact(logits, every, margin, first_sorted), expected, rtol=1e-9, atol=1e-6)


def test_a_word_on_top_by_the_margin_needs_no_change() -> None:
    logits = np.array([1.0, 3.0, 2.0, -1.0])
    assert exact(logits, [1], 1.0) == [0.0]
    assert exact(logits, [1], 1.5) == [pytest.approx(2 * 0.25**2)]


def test_two_words_share_the_gap_and_the_margin() -> None:
    assert exact(np.array([0.0, 2.0]), [0], 1.0) == [pytest.approx(2 * 1.5**2)]


def test_words_below_the_target_move_where_it_need_not_rise_by_the_margin() -> None:
    # All three meet: the target rises by 2/3 * margin, the two others fall by a third each.
    assert exact(np.zeros(3), [0], 3.0) == [pytest.approx(2**2 + 1 + 1)]


def test_rows_with_unlike_numbers_of_targets_keep_their_own() -> None:
    logits, hidden = torch.tensor([[0.0, 2.0, 1.0]] * 2), torch.tensor([[2.0, 0.0], [0.0, 1.0]])
    found = least_distances(hidden, logits, [[0, 1], [2]], 1.0)
    changes = [squished(np.array([0.0, 2.0, 1.0]), word, 1.0) for word in range(3)]
    assert found[0] == pytest.approx([changes[0] / 4, changes[1] / 4])
    assert found[1] == pytest.approx([changes[2]])
    assert least_distances(hidden, logits, [[0], [2]], 1.0, with_bias=True)[0] == pytest.approx([changes[0] / 5])


def test_a_broken_row_gives_no_number() -> None:
    assert np.isnan(exact(np.array([0.0, np.nan, 1.0]), [0], 1.0)).all()
