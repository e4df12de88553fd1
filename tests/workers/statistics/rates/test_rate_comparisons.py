"""Two groups' success rates: intervals that hold the truth, also with next to no success, and tests of a margin."""

import numpy as np
import pytest

from workers.statistics.rates.rate_comparisons import RateComparison, Resampled, Successes, compare_rates, equivalence_p

MARGIN = {"difference": 0.05, "relative": 0.1}


def answers(generator: np.random.Generator, rates: np.ndarray, often: float) -> Successes:
    """Each name [names, words] chooses at its rate; it was asked `often` times on average, unequally."""
    shown = generator.poisson(often, rates.shape).clip(1)
    return Successes(generator.binomial(shown, rates).astype(float), shown.astype(float))


def simulated(
    sizes: tuple[int, int], means: tuple[float, float], *, often: float = 50.0, spread: float = 20.0, words: int = 1500
) -> RateComparison:
    """Words whose rates vary between names: Beta with this mean and `spread`."""
    generator = np.random.default_rng(0)
    sides = [
        answers(generator, generator.beta(mean * spread, (1 - mean) * spread, (size, words)), often)
        for size, mean in zip(sizes, means, strict=True)
    ]
    return compare_rates(*sides, seed=1, resamples=500)


def covered(found: Resampled, truth: float) -> float:
    known = ~np.isnan(found.low)
    return float(((found.low <= truth + 1e-12) & (found.high >= truth - 1e-12))[known].mean())


def one_word(chosen: int, shown: int, names: int) -> Successes:
    """All successes are those of the first name."""
    counts = np.zeros((names, 1))
    counts[0] = chosen
    return Successes(counts, np.full((names, 1), shown / names))


def test_one_success_in_85_against_none_in_82_is_no_certainty() -> None:
    found = compare_rates(one_word(1, 85, 5), one_word(0, 82, 5), seed=0).relative
    assert found.value == pytest.approx([2.0])
    assert found.high == pytest.approx([2.0])
    assert found.low[0] < 0


def test_many_successes_of_one_side_differ_from_none() -> None:
    a, b = Successes(np.full((5, 1), 12.0), np.full((5, 1), 20.0)), one_word(0, 100, 5)
    found = compare_rates(a, b, seed=0).relative
    assert 1.5 < found.low[0] < found.high[0] == found.value[0] == 2


def test_no_interval_has_zero_width_and_each_holds_its_estimate() -> None:
    for sizes in ((5, 5), (3, 12)):
        found = simulated(sizes, (0.01, 0.02), often=10)
        for one in (found.difference, found.relative):
            known = ~np.isnan(one.value)
            assert (one.low[known] < one.high[known]).all()
            assert ((one.low <= one.value) & (one.value <= one.high))[known].all()


@pytest.mark.parametrize("sizes", [(5, 5), (12, 20), (25, 25)])
@pytest.mark.parametrize("means", [(0.02, 0.02), (0.1, 0.05), (0.3, 0.3)])
def test_the_interval_holds_the_truth_as_often_as_it_says(sizes: tuple[int, int], means: tuple[float, float]) -> None:
    found, (a, b) = simulated(sizes, means), means
    assert covered(found.difference, a - b) > 0.93
    assert covered(found.relative, 2 * (a - b) / (a + b)) > 0.93


@pytest.mark.parametrize("rate", [0.002, 0.005, 0.01])
def test_with_next_to_no_success_the_interval_is_conservative(rate: float) -> None:
    """It may cover up to 0.997."""
    found = simulated((10, 10), (rate, rate), often=20, spread=200)
    assert covered(found.difference, 0.0) > 0.93
    assert covered(found.relative, 0.0) > 0.93


@pytest.mark.parametrize("sizes", [(5, 5), (12, 12), (25, 25)])
@pytest.mark.parametrize(("kind", "means"), [("relative", (0.525, 0.475)), ("difference", (0.325, 0.275))])
def test_a_difference_as_large_as_the_margin_is_seldom_taken_for_absent(
    kind: str, means: tuple[float, float], sizes: tuple[int, int]
) -> None:
    found = simulated(sizes, means, often=500, spread=1000, words=3000)
    p = equivalence_p(getattr(found, kind), found.names, MARGIN[kind])
    assert (p < 0.05).mean() < 0.06


def test_a_difference_of_nothing_is_found_absent_with_names_enough() -> None:
    found = simulated((60, 60), (0.5, 0.5), often=500, spread=1000)
    assert (equivalence_p(found.relative, found.names, 0.1) < 0.05).mean() > 0.95
    assert np.isnan(equivalence_p(found.relative, found.names, np.nan)).all()


def test_a_words_interval_does_not_depend_on_other_words() -> None:
    generator = np.random.default_rng(0)
    a, b = (answers(generator, np.full((6, 4), rate), 30) for rate in (0.01, 0.2))
    whole = compare_rates(a, b, seed=3).relative
    for word in range(4):
        alone = compare_rates(*(Successes(x.chosen[:, [word]], x.shown[:, [word]]) for x in (a, b)), seed=3).relative
        assert alone.low[0] == pytest.approx(whole.low[word])


def test_one_name_has_no_interval_and_a_name_without_the_word_is_out() -> None:
    a = Successes(np.array([[20.0, 40], [0, 60]]), np.array([[100.0, 100], [0, 100]]))
    b = Successes(np.array([[10.0, 10], [30, 20]]), np.full((2, 2), 100.0))
    found = compare_rates(a, b, seed=0, resamples=100)
    assert found.names.tolist() == [3, 4]
    assert np.isnan(found.difference.low[0])
    assert found.difference.value == pytest.approx([0.0, 0.35])
    assert found.difference.low[1] < 0.35 < found.difference.high[1]
