"""Changes of how well two clusters separate two groups of names."""

import numpy as np
import pytest

from workers.statistics.cluster_changes import accuracy_change
from workers.statistics.clusters import cluster_accuracy
from workers.statistics.units import Floats

IN_A = np.repeat([True, False], 12)
RANDOM = np.random.default_rng(8)
WORDS = 60


def noise() -> Floats:
    return np.asarray(0.05 * RANDOM.normal(size=(24, WORDS)))


def by_group() -> Floats:
    return noise() + np.where(IN_A, 0.1, -0.1)[:, None] * RANDOM.normal(size=WORDS)


def by_kind() -> Floats:
    return noise() + np.where(np.arange(24) % 2, 0.1, -0.1)[:, None] * RANDOM.normal(size=WORDS)


def test_groups_that_no_longer_separate_are_a_significant_change() -> None:
    found = accuracy_change(by_group(), by_kind(), IN_A, seed=0, margin=0.05)
    assert found is not None
    assert found.value == pytest.approx(-0.5)
    assert found.p_value == pytest.approx(found.least_p)
    assert found.low <= found.value <= found.high < 0


def test_it_starts_from_the_same_accuracies_as_the_summary() -> None:
    before, after = by_group(), by_kind()
    told = [cluster_accuracy(one[IN_A], one[~IN_A], seed=0) for one in (before, after)]
    found = accuracy_change(before, after, IN_A, seed=0)
    assert found is not None
    assert None not in told
    assert found.value == pytest.approx(told[1].value - told[0].value)  # type: ignore[union-attr]


def test_rates_that_all_fall_alike_leave_the_accuracy() -> None:
    before = by_group()
    found = accuracy_change(before, before + 0.5, IN_A, seed=0, margin=0.05)
    assert found is not None
    assert found.value == 0
    assert found.p_value == 1


def test_clusters_that_never_change_are_shown_to_be_alike_with_enough_names_only() -> None:
    before = by_group()
    few = accuracy_change(before, before, IN_A, seed=0, margin=0.05)
    assert few is not None
    assert few.equivalence_p == pytest.approx(0.95**24)


def test_clusters_of_chance_do_not_count_as_a_change() -> None:
    p_values = [
        found.p_value
        for seed in range(40)
        if (found := accuracy_change(noise(), noise(), IN_A, seed=seed, draws=99, resamples=19))
    ]
    assert np.mean(np.array(p_values) < 0.05) <= 0.15
    assert np.mean(np.array(p_values) < 0.5) >= 0.2


def test_the_same_seed_gives_the_same_figures() -> None:
    before, after = by_group(), by_kind()
    one, other = (accuracy_change(before, after, IN_A, seed=5, margin=0.05) for _ in range(2))
    assert one == other


def test_vectors_that_are_all_alike_have_no_clusters() -> None:
    assert accuracy_change(np.ones((24, 3)), by_group()[:, :3], IN_A, seed=0) is None
