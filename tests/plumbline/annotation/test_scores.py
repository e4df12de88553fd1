"""Ratings of distractors: means, spread, histograms."""

from statistics import mean, variance

import pytest

from plumbline.annotation.scores import ASPECTS, distributions


def rated(*values: int) -> dict[str, int]:
    return dict(zip(ASPECTS, values, strict=True))


def test_each_aspect_has_its_mean_spread_and_histogram() -> None:
    grammar, *_, similarity = distributions([rated(5, 4, 1, 1), rated(4, 4, 2, 1), rated(1, 3, 5, 1)])
    assert (grammar.aspect, grammar.n, grammar.histogram) == ("grammar", 3, (1, 0, 0, 1, 1))
    assert grammar.mean == mean([5, 4, 1])
    assert grammar.sd == pytest.approx(variance([5, 4, 1]) ** 0.5)
    assert (similarity.mean, similarity.sd, similarity.histogram) == (1, 0.0, (3, 0, 0, 0, 0))


def test_one_rating_has_no_spread_and_none_no_mean() -> None:
    assert {(one.mean, one.sd) for one in distributions([rated(5, 5, 5, 5)])} == {(5, None)}
    assert {(one.n, one.mean, one.sd) for one in distributions([])} == {(0, None, None)}
