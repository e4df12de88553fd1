"""The change of an effect size, paired by word, against the effect sizes themselves and a plain jackknife."""

import numpy as np
import pytest

from workers.statistics.effect_changes import _cut_masks, _without, effect_change
from workers.statistics.effect_sizes import effect_size
from workers.statistics.jackknife import jackknifed
from workers.statistics.set_tests import compare_cut

RANDOM = np.random.default_rng(3)
IN_X = np.arange(16) < 8


def plain(before: np.ndarray, after: np.ndarray) -> float:
    return float(effect_size(after[:8], after[8:]) - effect_size(before[:8], before[8:]))


def test_the_change_is_that_of_the_effect_sizes_and_its_error_the_jackknifes() -> None:
    before, after = RANDOM.normal(size=(2, 16))
    found = effect_change(before, after, IN_X, cuts=1, seed=0)
    assert found.value == pytest.approx(plain(before, after))
    deleted: list[list[float]] = [[], []]
    for word in range(16):
        kept = np.arange(16) != word
        x = kept & IN_X, kept & ~IN_X
        value = effect_size(after[x[0]], after[x[1]]) - effect_size(before[x[0]], before[x[1]])
        deleted[word // 8].append(float(value))
    variance = sum(7 / 8 * float(((np.array(own) - np.mean(own)) ** 2).sum()) for own in deleted)
    assert (found.high - found.low) / 2 / np.sqrt(variance) == pytest.approx(2.36462, rel=0.2)
    assert found.n_units == 16


def test_the_interval_has_the_degrees_of_freedom_of_the_smaller_set() -> None:
    before, after = RANDOM.normal(size=(2, 13))
    in_x = np.arange(13) < 8
    found = effect_change(before, after, in_x, cuts=4, seed=0)
    kept = _cut_masks(in_x, 4, 0)
    sides = [[_without(before, after, in_x, kept, word) for word in range(13) if in_x[word] == own] for own in (1, 0)]
    expected = jackknifed(found.value, [np.array(own) for own in sides], degrees=4)
    assert (found.low, found.high, found.p_value) == pytest.approx((expected.low, expected.high, expected.p_value))


def test_sets_of_unequal_size_are_cut_as_each_run_is() -> None:
    before, after = RANDOM.normal(size=(2, 13))
    in_x = np.arange(13) < 8
    settings = {"cuts": 20, "seed": 5, "draws": 99, "resamples": 100, "level": 0.95}
    own = [compare_cut(s[in_x], s[~in_x], **settings).effect_size for s in (before, after)]  # type: ignore[arg-type]
    assert effect_change(before, after, in_x, cuts=20, seed=5).value == pytest.approx(own[1] - own[0])


def test_the_same_associations_have_no_change_and_no_test() -> None:
    same = RANDOM.normal(size=16)
    found = effect_change(same, 3 * same, IN_X, cuts=1, seed=0)
    assert found.value == pytest.approx(0.0)
    assert np.isnan(found.p_value)


def test_words_that_are_all_alike_have_no_effect_size() -> None:
    assert np.isnan(effect_change(np.ones(16), RANDOM.normal(size=16), IN_X, cuts=1, seed=0).value)
