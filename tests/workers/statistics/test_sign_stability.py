"""The stability of a sign, against every pair of wordings alone."""

import numpy as np
import pytest

from workers.statistics import sign_stability as under_test
from workers.statistics.sign_stability import sign_stability

RANDOM = np.random.default_rng(0)
X, Y = (RANDOM.normal(size=(wordings, 30, words)).astype(np.float32) for wordings, words in ((4, 3), (5, 6)))


def brute(wanted: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> list[list[float]]:
    def share(target: int, feature: int) -> float:
        r = [np.corrcoef(one[:, target], other[:, feature])[0, 1] for one in X for other in Y]
        return float(np.mean(np.sign(r) == np.sign(wanted[target, feature])))

    return [[share(target, feature) for feature in range(6)] for target in range(3)]


@pytest.mark.parametrize("at_once", [1, 30, 1 << 22])
def test_it_is_the_share_of_pairs_with_the_sign(monkeypatch: pytest.MonkeyPatch, at_once: int) -> None:
    monkeypatch.setattr(under_test, "AT_ONCE", at_once)
    wanted = RANDOM.normal(size=(3, 6))
    np.testing.assert_allclose(sign_stability(X, Y, wanted), brute(wanted))


def test_a_score_without_a_sign_has_none() -> None:
    found = sign_stability(X, Y, np.where(np.arange(6) == 2, np.nan, np.ones((3, 6))))
    assert np.isnan(found[:, 2]).all()
    assert not np.isnan(np.delete(found, 2, axis=1)).any()


def test_a_wording_in_which_nothing_varies_agrees_with_no_sign() -> None:
    x = X.copy()
    x[0, :, 1] = 0.1
    of_others = sign_stability(X[1:], Y, np.ones((3, 6)))[1]
    np.testing.assert_allclose(sign_stability(x, Y, np.ones((3, 6)))[1], of_others * 3 / 4)
