"""Clusters of vectors and groups: accuracy, exact chance, and a map."""

import itertools

import numpy as np
import pytest

from workers.statistics.clusters import chance_law, cluster_accuracy, project


def test_groups_that_lie_apart_are_found_whole() -> None:
    generator = np.random.default_rng(0)
    x, y = generator.normal(0, 0.1, (8, 5)), generator.normal(3, 0.1, (6, 5))
    found = cluster_accuracy(x, y, seed=0, restarts=2)
    assert found is not None
    assert found.value == found.lowest == found.highest == 1
    # Of the C(14, 6) ways to label them, one is right; turned round it would need equal sizes.
    assert found.p_value == found.least_p == pytest.approx(1 / 3003)


def test_chance_is_that_of_all_ways_to_label_the_names() -> None:
    accuracies, chances = chance_law(3, 4, 2)
    inside = np.array([1, 1, 0, 0, 0, 0, 0], dtype=bool)
    every = [np.mean(inside == np.isin(np.arange(7), places)) for places in itertools.combinations(range(7), 3)]
    told = np.maximum(every, 1 - np.array(every))
    assert accuracies @ chances == pytest.approx(told.mean())
    assert chances.sum() == pytest.approx(1)
    assert chances[-1] == pytest.approx(np.mean(told >= told.max() - 1e-9))


def test_for_twice_25_names_chance_is_not_a_half() -> None:
    accuracies, chances = chance_law(25, 25, 25)
    assert accuracies @ chances == pytest.approx(0.558, abs=1e-3)
    assert accuracies[np.searchsorted(np.cumsum(chances), 0.95)] == pytest.approx(0.64)


def test_an_accuracy_near_chance_is_shown_to_be_chance_with_names_enough_alone() -> None:
    generator = np.random.default_rng(0)
    few, many = (
        cluster_accuracy(*generator.random((2, names, 3)), seed=0, restarts=1, margin=0.05) for names in (25, 600)
    )
    assert few is not None
    assert many is not None
    assert many.equivalence_p < 0.05 < few.equivalence_p


def test_restarts_move_the_accuracy_and_the_spread_shows_it() -> None:
    generator = np.random.default_rng(4)
    found = cluster_accuracy(generator.random((10, 30)), generator.random((10, 30)), seed=0, restarts=3)
    assert found is not None
    assert found.single_lowest <= found.lowest <= found.value <= found.highest <= found.single_highest
    assert found.single_lowest < found.single_highest


def test_vectors_that_are_all_alike_have_no_clusters_and_no_map() -> None:
    assert cluster_accuracy(np.ones((3, 2)), np.ones((3, 2)), seed=0) is None
    assert project(np.ones((6, 2)), seed=0) is None


def test_the_map_keeps_names_together_that_are_alike_and_depends_on_the_seed_alone() -> None:
    generator = np.random.default_rng(0)
    vectors = np.concatenate([generator.normal(0, 0.1, (10, 4)), generator.normal(5, 0.1, (10, 4))])
    places = project(vectors, seed=1)
    assert places is not None
    apart = np.linalg.norm(places[:, None] - places[None], axis=2)
    within = (apart[:10, :10].max() + apart[10:, 10:].max()) / 2
    assert apart[:10, 10:].min() > within / 2
    again = project(vectors, seed=1)
    assert again is not None
    assert again.tolist() == places.tolist()
