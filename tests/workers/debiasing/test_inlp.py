"""Iterative nullspace projection against the values of the authors' code, and against a plain transcription of it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.linalg
from sklearn.svm import LinearSVC

from tests.workers.debiasing.held_out import held_out_accuracy
from workers.debiasing import inlp as module
from workers.debiasing.inlp import inlp
from workers.debiasing.linear_svm import Gram, separating_directions
from workers.debiasing.maps import Array, nullspace_map

REFERENCE = Path(__file__).parents[4] / "shared" / "data" / "reference" / "inlp.npz"
RANDOM = np.random.default_rng(7)


@pytest.fixture(scope="module")
def reference() -> Mapping[str, Any]:
    if not REFERENCE.is_file():
        pytest.skip("the values of the authors' code are not beside the repository")
    return dict(np.load(REFERENCE))


def test_agrees_with_the_authors_code_on_three_classes(reference: Mapping[str, Any]) -> None:
    found = inlp(reference["X_train"], reference["Y_train"], 8)
    assert np.abs(found.matrix - reference["P_gender"]).max() < 1e-5
    assert np.linalg.matrix_rank(found.matrix) == 40
    assert np.allclose(found.matrix @ found.matrix, found.matrix)


def test_agrees_with_the_authors_code_on_two_classes(reference: Mapping[str, Any]) -> None:
    found = inlp(reference["X_train_b"], reference["Y_train_b"], 5)
    # LIBLINEAR stops where rounding lets it: a relative change of 1e-15 in these states, or another number of threads,
    # moves its own answer by up to 4.4e-5 (30 draws).
    assert np.abs(found.matrix - reference["P_binary"]).max() < 1e-4
    assert np.linalg.matrix_rank(found.matrix) == 59


def test_projects_given_directions_away_as_the_authors_code_does(reference: Mapping[str, Any]) -> None:
    assert np.abs(nullspace_map(reference["dirs"]).matrix - reference["P_dirs"]).max() < 1e-10


def states_of(classes: int, count: int = 300, size: int = 24) -> tuple[Array, Any]:
    labels = RANDOM.integers(0, classes, count)
    return RANDOM.normal(size=(count, size)) + RANDOM.normal(size=(classes, size))[labels], labels


def transcription(states: Array, labels: Any, classifiers: int) -> Array:
    """Return P as the published function finds it: rows projected anew, row spaces summed."""
    size = states.shape[1]
    summed, found = np.zeros((size, size)), np.eye(size)
    for _ in range(classifiers):
        svm = LinearSVC(fit_intercept=False, dual=False, random_state=0)
        basis = scipy.linalg.orth(svm.fit((found @ states.T).T, labels).coef_.T)
        summed += basis @ basis.T
        joint = scipy.linalg.orth(summed)
        found = np.eye(size) - joint @ joint.T
    return found


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("own_solver", [False, True])
def test_agrees_with_a_transcription_of_the_published_algorithm(
    classes: int, own_solver: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "QUICKER_FROM", 0 if own_solver else module.QUICKER_FROM)
    states, labels = states_of(classes)
    assert np.abs(inlp(states, labels, 4).matrix - transcription(states, labels, 4)).max() < 1e-5


@pytest.mark.parametrize("seed", range(4))
def test_the_own_solver_stops_where_scikit_learns_does(seed: int) -> None:
    random = np.random.default_rng(seed)
    labels = random.integers(0, 2, 200)
    states = random.normal(size=(200, 20)) + np.outer(labels, random.normal(size=20))
    expected = LinearSVC(fit_intercept=False, dual=False, random_state=0).fit(states, labels).coef_
    found = separating_directions(Gram(states), labels, np.eye(20))
    assert np.abs(found - expected).max() < 1e-10


@pytest.mark.parametrize("logistic", [False, True])
def test_leaves_nothing_that_a_fresh_classifier_could_read(logistic: bool) -> None:
    states, labels = states_of(2, 1000, 12)
    found = inlp(states, labels, 8, logistic=logistic)
    assert held_out_accuracy(states, labels).accuracy > 0.75
    after = held_out_accuracy(found(states), labels)
    assert after.accuracy <= after.majority + 0.08


def test_takes_no_direction_more_once_all_are_gone() -> None:
    states, labels = states_of(2, 60, 3)
    assert np.abs(inlp(states, labels, 10).matrix).max() < 1e-9


def test_progress_is_reported_after_each_classifier() -> None:
    done: list[int] = []
    inlp(*states_of(2, 40, 6), classifiers=3, progress=done.append)
    assert done == [1, 1, 1]
