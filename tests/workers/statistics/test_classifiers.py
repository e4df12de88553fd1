"""Linear classifiers over random splits: they learn what there is, and nothing from noise."""

import numpy as np
import pytest

from workers.statistics.classifiers import Split, classify_splits


def accuracy(splits: list[Split], labels: np.ndarray[tuple[int], np.dtype[np.int64]]) -> float:
    right = [(one.log_p[one.test].argmax(axis=1) == labels[one.test]).mean() for one in splits]
    return float(np.mean(right))


def test_separable_labels_are_reported_and_noise_is_not() -> None:
    generator = np.random.default_rng(0)
    labels = np.repeat([0, 1, 2], 30)
    noise = generator.normal(size=(90, 5))
    signal = noise + 6 * np.eye(5)[labels]
    told, untold = (
        list(classify_splits(features, labels, seed=0, splits=8, test_share=1 / 3)) for features in (signal, noise)
    )
    assert accuracy(told, labels) > 0.97
    assert accuracy(untold, labels) == pytest.approx(1 / 3, abs=0.13)
    # Paired: whatever the features, the same rows are tested.
    assert all((a.test == b.test).all() for a, b in zip(told, untold, strict=True))


def test_each_part_keeps_the_shares_and_no_row_is_in_both() -> None:
    labels = np.repeat([0, 1], [20, 10])
    for split in classify_splits(np.random.default_rng(0).random((30, 2)), labels, seed=1, splits=3, test_share=1 / 3):
        assert sorted([*split.train, *split.test]) == list(range(30))
        assert np.bincount(labels[split.test]).tolist() == [7, 3]


def test_a_label_that_occurs_once_cannot_be_in_both_parts() -> None:
    with pytest.raises(ValueError, match="class"):
        next(classify_splits(np.zeros((5, 1)), np.array([0, 0, 0, 0, 1]), seed=0, splits=1, test_share=0.4))
