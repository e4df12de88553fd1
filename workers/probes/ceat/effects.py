"""Effect sizes from the cosines of the draws."""

from collections.abc import Sequence

import numpy as np
from scipy import stats

from workers.statistics import effect_size, sampling_variance
from workers.statistics.crossed_variance import crossed_variance
from workers.statistics.random_effects import LEAST_P
from workers.statistics.units import Floats, Positions


def group_effect(right: Floats, left: Floats, drawn: Sequence[Positions]) -> tuple[float, float]:
    """Return CEAT of a group, and its variance, from its cosines with the right and the left pole, [draws] each.

    (mean of right - mean of left) / standard deviation of both together. Cao et al. 2022, section 3.1, write
    expectations over the words of the poles. Here they are over draws, because a pole of one adjective has no variance
    of its own (ours). The divisor is that of all n cosines, n - 1 (ddof = 1). A is the right pole, so the sign is that
    of the pair score.
    `drawn` numbers the sentence of each draw, [draws] for each of the words. The variance is that of new sentences, so
    it does not fall if few sentences are drawn repeatedly. NaN if all cosines are equal.
    """
    value = float(effect_size(right, left))
    return value, crossed_variance(_influence(right, left, value), drawn)


def t_test(value: float, variance: float, sentences: int, level: float) -> tuple[float, float, float]:
    """Return limits and two-sided p of an effect size, by Student's t with sentences - 1 degrees of freedom.

    `sentences` is the number for the rarest word, at least two.
    """
    error, t = float(np.sqrt(variance)), stats.t(sentences - 1)
    reach = float(t.isf((1 - level) / 2)) * error
    return value - reach, value + reach, max(float(2 * t.sf(abs(value) / error)), LEAST_P)


def _influence(right: Floats, left: Floats, value: float) -> Floats:
    """Return the first-order influence of each draw on the effect size, [draws]; the mean is 0."""
    together = np.concatenate([right, left])
    with np.errstate(divide="ignore", invalid="ignore"):
        difference = (right - left - (right - left).mean()) / together.std()
        squares = ((right - together.mean()) ** 2 + (left - together.mean()) ** 2) / 2
        return np.asarray(difference - value / 2 * (squares / together.var() - 1))


def set_effects(cosines: Floats, x: int, a: int, *, released: bool) -> tuple[Floats, Floats]:
    """Return effect size and variance of each draw, [draws] each, from cosines [draws, targets, attributes].

    The first x targets and the first a attributes are the first sets. The effect size is WEAT's (Guo and Caliskan
    2021). Its variance is the sampling variance of a standardised mean difference; with `released`, the squared
    standard deviation of the targets' associations, as in the released code.
    """
    s = cosines[:, :, :a].mean(axis=2) - cosines[:, :, a:].mean(axis=2)  # [draws, targets]
    effects = effect_size(s[:, :x], s[:, x:])
    variances = s.var(axis=1, ddof=1) if released else sampling_variance(effects, x, s.shape[1] - x)
    return effects, np.asarray(variances)
