"""Random-effects combination of many estimates of one effect."""

from dataclasses import dataclass

import numpy as np
from scipy import stats

from workers.statistics.units import Floats

LEAST_P = float(np.finfo(np.float64).tiny)
"""A p-value that underflows is set to the smallest positive float, so that it is never 0."""


@dataclass(frozen=True)
class Combined:
    """The mean effect, its standard error, the variance between samples, and p, two-sided and one-sided (greater)."""

    value: float
    standard_error: float
    between: float
    p_value: float
    one_sided: float


def combine(effects: Floats, variances: Floats) -> Combined:
    """Return the random-effects mean of effects [n] with their own variances [n], by DerSimonian and Laird.

    The weights are 1/(own variance + variance between the samples); p is that of the standard normal distribution. The
    samples are treated as independent. If they draw from the same words, p is too small. Raises ValueError for no
    effects or a variance that is not positive.
    Source: Guo and Caliskan 2021, "Detecting Emergent Intersectional Biases", section on CEAT; DerSimonian and Laird
    1986, "Meta-analysis in clinical trials".
    """
    # Imported here because it loads pandas, which takes a second and which only this statistic needs.
    from statsmodels.stats.meta_analysis import combine_effects

    if not len(effects) or (variances <= 0).any():
        raise ValueError("at least one effect is needed, each with a positive variance")
    if len(effects) == 1:
        return _tested(float(effects[0]), float(np.sqrt(variances[0])), 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):  # a negative variance gives weights that are not used
        found = combine_effects(effects, variances, method_re="dl")
    if found.tau2 <= 0:
        # The estimate of the variance may be below 0. DerSimonian and Laird then use 0; the library does not.
        return _tested(float(found.mean_effect_fe), float(found.sd_eff_w_fe), 0.0)
    return _tested(float(found.mean_effect_re), float(found.sd_eff_w_re), float(found.tau2))


def _tested(value: float, error: float, between: float) -> Combined:
    z = value / error
    two_sided, one_sided = 2 * stats.norm.sf(abs(z)), stats.norm.sf(z)
    return Combined(value, error, between, max(float(two_sided), LEAST_P), max(float(one_sided), LEAST_P))
