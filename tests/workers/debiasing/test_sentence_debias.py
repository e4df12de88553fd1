"""SentenceDebias: which direction it finds, and that it goes."""

import numpy as np

from workers.debiasing.sentence_debias import principal_directions, sentence_debias

RANDOM = np.random.default_rng(3)
BIAS = np.eye(8)[2]


def pairs(count: int = 200, noise: float = 0.05) -> list[np.ndarray]:
    """Sentences that differ by 0.4 in the third number."""
    middles = RANDOM.normal(size=(count, 8)) + 4 * np.eye(8)[0]
    return [
        np.stack([middle + 0.2 * BIAS, middle - 0.2 * BIAS]) + noise * RANDOM.normal(size=(2, 8)) for middle in middles
    ]


def test_finds_the_direction_in_which_pairs_differ() -> None:
    assert abs(principal_directions(pairs(), 1)[0] @ BIAS) > 0.97


def test_is_the_singular_vector_of_the_pair_differences() -> None:
    some = pairs()
    units = [one / np.linalg.norm(one, axis=1, keepdims=True) for one in some]
    differences = np.array([one[0] - one[1] for one in units])
    expected = np.linalg.svd(differences)[2][0]
    assert np.isclose(abs(principal_directions(some, 1)[0] @ expected), 1)


def test_the_projection_takes_the_directions_out_and_nothing_else() -> None:
    some = pairs()
    found = sentence_debias(some, 2)
    directions = principal_directions(some, 2)
    assert np.allclose(found.matrix, np.eye(8) - directions.T @ directions)
    assert np.allclose(found.matrix @ found.matrix, found.matrix)
    assert np.allclose(found.offset, 0)


def test_versions_of_three_groups_are_centred_on_their_own_mean() -> None:
    middle = 9 * (1 - BIAS)
    triples = [np.stack([middle + BIAS, middle - BIAS, middle]) for _ in range(3)]
    assert np.isclose(abs(principal_directions(triples, 1)[0] @ BIAS), 1, atol=0.01)


def test_where_versions_never_differ_nothing_is_taken_out() -> None:
    same = [np.ones((2, 8)) for _ in range(3)]
    assert np.array_equal(sentence_debias(same).matrix, np.eye(8))
