"""LEACE against the authors' package, and what it guarantees."""

import warnings

import numpy as np
import numpy.typing as npt
import pytest
import torch
from sklearn.linear_model import LogisticRegression

from tests.workers.debiasing.held_out import held_out_accuracy
from workers.debiasing.leace import Moments, leace
from workers.debiasing.maps import AffineMap, Array

Classes = npt.NDArray[np.int64]


def states_of(classes: int, count: int = 600, size: int = 20) -> tuple[Array, Classes]:
    random = np.random.default_rng(classes)
    labels = random.integers(0, classes, count)
    mixed = random.normal(size=(count, size)) @ random.normal(size=(size, size))
    return mixed + random.normal(size=(classes, size))[labels] + 3, labels


def fitted(states: Array, labels: Classes, batch: int = 10**6) -> AffineMap:
    moments = Moments.empty(states.shape[1], labels.max() + 1)
    for start in range(0, len(states), batch):
        moments.add(states[start : start + batch], labels[start : start + batch])
    return leace(moments)


def oracle(states: Array, labels: Classes) -> Array:
    with warnings.catch_warnings():
        # The package compiles functions in a way that torch advises against by now.
        warnings.simplefilter("ignore")
        from concept_erasure import LeaceEraser
    one_hot = torch.from_numpy(np.eye(labels.max() + 1)[labels])
    eraser = LeaceEraser.fit(
        torch.from_numpy(states), one_hot, shrinkage=False, constrain_cov_trace=False, svd_tol=1e-8
    )
    erased: Array = eraser(torch.from_numpy(states)).numpy()
    return erased


@pytest.mark.parametrize("classes", [2, 3, 4])
def test_agrees_with_the_authors_package(classes: int) -> None:
    states, labels = states_of(classes)
    assert np.abs(fitted(states, labels)(states) - oracle(states, labels)).max() < 1e-5


@pytest.mark.parametrize("classes", [2, 4])
def test_is_idempotent_and_takes_one_direction_less_than_there_are_classes(classes: int) -> None:
    states, labels = states_of(classes)
    found = fitted(states, labels)
    assert np.allclose(found(found(states)), found(states))
    assert np.linalg.matrix_rank(np.eye(20) - found.matrix, tol=1e-8) == classes - 1


def test_keeps_the_mean_and_makes_states_and_labels_uncorrelated() -> None:
    states, labels = states_of(3)
    erased = fitted(states, labels)(states)
    assert np.allclose(erased.mean(0), states.mean(0))
    assert np.abs((erased - erased.mean(0)).T @ (np.eye(3)[labels] - np.eye(3)[labels].mean(0))).max() < 1e-7


def test_no_classifier_does_better_than_a_constant_on_what_it_was_fitted_to() -> None:
    states, labels = states_of(2)
    erased = fitted(states, labels)(states)
    constant = max(labels.mean(), 1 - labels.mean())
    assert LogisticRegression(max_iter=5000).fit(states, labels).score(states, labels) > constant + 0.1
    assert LogisticRegression(max_iter=5000).fit(erased, labels).score(erased, labels) == pytest.approx(constant)


def test_a_fresh_classifier_is_at_chance_on_states_held_out() -> None:
    states, labels = states_of(2, 4000)
    after = held_out_accuracy(fitted(states, labels)(states), labels)
    assert after.accuracy <= after.majority + 0.03 < held_out_accuracy(states, labels).accuracy


def test_streams_batch_by_batch() -> None:
    states, labels = states_of(3)
    whole, batched = fitted(states, labels), fitted(states, labels, batch=7)
    assert np.allclose(whole.matrix, batched.matrix, atol=1e-9)
    assert np.allclose(whole.offset, batched.offset, atol=1e-9)


def test_states_that_fill_no_whole_space_are_erased_too() -> None:
    states, labels = states_of(2)
    flat = np.hstack([states, states[:, :5] - 2 * states[:, 5:10]])
    erased = fitted(flat, labels)(flat)
    assert np.isfinite(erased).all()
    assert np.allclose(erased[labels == 0].mean(0), erased[labels == 1].mean(0), atol=1e-6)
