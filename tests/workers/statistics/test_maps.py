"""Maps of vectors: seeded, true to what is near, and honest where there is too little to show."""

from functools import cache

import numpy as np
import pytest

from workers.statistics.maps import METHODS, NoMapError, layout
from workers.statistics.units import Floats

every_method = pytest.mark.parametrize("method", list(METHODS))


def clusters(each: int = 12, features: int = 30) -> Floats:
    """Two groups of vectors, far from one another."""
    drawn = np.random.default_rng(3).normal(0, 0.1, (2 * each, features))
    drawn[each:] += 1
    return drawn


@cache
def mapped(method: str) -> Floats:
    """To lay out with UMAP that is not compiled takes two seconds."""
    return layout(clusters(), method, parameter=5, seed=4).positions


@every_method
def test_the_same_seed_gives_the_same_map(method: str) -> None:
    first, second = mapped(method), layout(clusters(), method, parameter=5, seed=4).positions
    assert first.shape == (24, 2)
    np.testing.assert_array_equal(first, second)


@every_method
def test_whoever_is_near_in_the_scores_is_near_on_the_map(method: str) -> None:
    positions = mapped(method)
    middles = positions[:12].mean(axis=0), positions[12:].mean(axis=0)
    own = np.concatenate(
        [np.linalg.norm(positions[:12] - middles[0], axis=1), np.linalg.norm(positions[12:] - middles[1], axis=1)]
    )
    other = np.concatenate(
        [np.linalg.norm(positions[:12] - middles[1], axis=1), np.linalg.norm(positions[12:] - middles[0], axis=1)]
    )
    assert (own < other).all()


@pytest.mark.parametrize(
    ("method", "size", "used"),
    [("tsne", 10, 3.0), ("isomap", 5, 4), ("umap", 4, 3), ("tsne", 4, 1.0), ("isomap", 3, 2)],
)
def test_a_parameter_that_is_too_large_is_lowered_with_a_note(method: str, size: int, used: float) -> None:
    found = layout(clusters()[:size], method, parameter=5, seed=0)
    assert found.parameter == used
    assert f"lowered from 5 to {used:g}" in found.note
    assert np.isfinite(found.positions).all()


@every_method
def test_what_fits_is_left_as_it_was_asked(method: str) -> None:
    found = layout(np.random.default_rng(0).normal(size=(40, 8)), method, parameter=5, seed=0)
    assert found.parameter == (None if method == "pca" else 5)
    assert "lowered" not in found.note


@every_method
def test_two_targets_have_no_map(method: str) -> None:
    with pytest.raises(NoMapError, match=r"2 targets: this map needs . at least"):
        layout(clusters()[:2], method, parameter=5, seed=0)


@every_method
def test_targets_that_are_all_alike_have_no_map(method: str) -> None:
    with pytest.raises(NoMapError, match="same scores"):
        layout(np.ones((8, 3)), method, parameter=5, seed=0)


@every_method
def test_one_feature_is_enough(method: str) -> None:
    found = layout(np.arange(12.0)[:, None], method, parameter=3, seed=0)
    assert found.positions.shape == (12, 2)


def test_groups_without_a_link_are_reported() -> None:
    assert "2 groups without a link" in layout(clusters(), "isomap", parameter=5, seed=0).note


def test_principal_components_say_how_much_they_show() -> None:
    flat = np.outer(np.arange(6.0), [1, 2, 3])
    assert layout(flat, "pca", parameter=5, seed=0).explained == pytest.approx((1.0, 0.0))
