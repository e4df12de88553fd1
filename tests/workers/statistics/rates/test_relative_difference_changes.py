"""Changes of relative differences between two groups of names."""

import numpy as np
import pytest
from scipy import stats

from workers.statistics.rates.rate_comparisons import Successes
from workers.statistics.rates.relative_difference_changes import (
    FEWEST_SUCCESSES,
    RelativeChange,
    Versions,
    relative_changes,
)
from workers.statistics.units import Floats

RANDOM = np.random.default_rng(3)


def chosen(rates: Floats, shown: int = 200) -> Successes:
    return Successes(RANDOM.binomial(shown, rates).astype(np.float64), np.full(rates.shape, float(shown)))


def versions(before: Floats, after: Floats) -> Versions:
    return Versions(chosen(before), chosen(after))


def of_words(a: Versions, b: Versions) -> RelativeChange:
    return relative_changes(a, b, margin=0.1)


def rates(mean: float, names: int = 12) -> Floats:
    return np.full((names, 1), mean)


def test_the_change_is_rd_after_minus_rd_before() -> None:
    a, b = versions(rates(0.3), rates(0.2)), versions(rates(0.2), rates(0.2))
    means = [side.rates.mean() for side in (a.before, b.before, a.after, b.after)]
    before, after = (2 * (x - y) / (x + y) for x, y in (means[:2], means[2:]))
    found = of_words(a, b)
    assert found.value[0] == pytest.approx(after - before)
    assert found.low[0] < found.value[0] < found.high[0]
    assert found.p_value[0] < 0.001
    assert found.names[0] == 24


def test_the_standard_error_is_welchs_of_the_weighted_changes_of_names() -> None:
    a, b = versions(rates(0.3, 5), rates(0.2, 5)), versions(rates(0.2, 9), rates(0.25, 9))
    x, y = ([one.rates[:, 0] for one in side.both] for side in (a, b))
    slopes = [(4 * q.mean() / (p.mean() + q.mean()) ** 2, -4 * p.mean() / (p.mean() + q.mean()) ** 2)
              for p, q in zip(x, y, strict=True)]  # fmt: skip
    own = [slopes[1][side] * one[1] - slopes[0][side] * one[0] for side, one in enumerate((x, y))]
    parts = [one.var(ddof=1) / len(one) for one in own]
    degrees = sum(parts) ** 2 / sum(part**2 / (len(one) - 1) for part, one in zip(parts, own, strict=True))
    found = of_words(a, b)
    reach = stats.t.isf(0.025, degrees) * np.sqrt(sum(parts))
    assert found.high[0] - found.value[0] == pytest.approx(reach)
    assert found.p_value[0] == pytest.approx(2 * stats.t.sf(abs(found.value[0]) / np.sqrt(sum(parts)), degrees))


def test_names_that_keep_their_own_rates_show_a_small_change_to_be_none() -> None:
    own = np.linspace(0.1, 0.6, 25)[:, None]
    side = Successes(np.round(own * 1000), np.full(own.shape, 1000.0))
    moved = Successes(side.chosen + np.where(np.arange(25) % 2, 1, -1)[:, None], side.shown)
    found = of_words(Versions(side, moved), Versions(side, side))
    assert found.equivalence_p[0] < 0.001
    assert found.p_value[0] > 0.05


def test_a_word_of_few_successes_is_not_tested() -> None:
    few = Successes(np.full((12, 1), (FEWEST_SUCCESSES - 1) / 12), np.full((12, 1), 50.0))
    many = Successes(np.full((12, 1), 10.0), np.full((12, 1), 50.0))
    found = of_words(Versions(many, few), Versions(many, many))
    assert found.is_rare[0]
    assert np.isnan(found.p_value[0])
    assert np.isnan(found.low[0])
    assert found.value[0] < 0


def test_successes_of_one_name_alone_are_not_tested() -> None:
    one_name = np.zeros((12, 1))
    one_name[0] = 100.0
    many = Successes(np.full((12, 1), 10.0), np.full((12, 1), 200.0))
    found = of_words(Versions(many, Successes(one_name, np.full((12, 1), 200.0))), Versions(many, many))
    assert found.is_rare[0]


def test_a_word_that_no_version_changed_has_no_test() -> None:
    side = Successes(RANDOM.binomial(50, 0.3, (12, 1)).astype(np.float64), np.full((12, 1), 50.0))
    found = of_words(Versions(side, side), Versions(side, side))
    assert found.value[0] == 0
    assert not found.is_rare[0]
    assert np.isnan(found.p_value[0])


def test_names_without_the_word_do_not_count() -> None:
    a, b = versions(rates(0.3), rates(0.2)), versions(rates(0.2), rates(0.2))
    without = Successes(np.vstack([a.before.chosen, [[0.0]]]), np.vstack([a.before.shown, [[0.0]]]))
    later = Successes(np.vstack([a.after.chosen, [[0.0]]]), np.vstack([a.after.shown, [[0.0]]]))
    more, plain = of_words(Versions(without, later), b), of_words(a, b)
    assert more.value[0] == pytest.approx(plain.value[0])
    assert more.high[0] == pytest.approx(plain.high[0])
    assert more.names[0] == 24
