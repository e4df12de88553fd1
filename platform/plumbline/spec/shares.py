"""A share of independent observations with its 95% interval."""

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Share:
    """A share with the limits of its interval."""

    value: float
    low: float
    high: float


def wilson(of: int, n: int) -> Share:
    """Return the share of n, at least 1, with Wilson's interval. It covers 95% on average over true shares.

    Source: Wilson 1927, "Probable Inference, the Law of Succession, and Statistical Inference", JASA 22.
    """
    z2 = NormalDist().inv_cdf((1 + LEVEL) / 2) ** 2
    share = of / n
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = sqrt(z2 * (share * (1 - share) / n + z2 / (4 * n * n))) / (1 + z2 / n)
    # Rounding may put a limit a hair beyond a share of 0 or 1.
    return Share(share, max(0.0, min(middle - half, share)), min(1.0, max(middle + half, share)))


def exact(of: int, n: int, level: float = LEVEL) -> Share:
    """Return the share of n, at least 1, with the exact interval, which covers `level` or more for every true share.

    Wilson's covers 85% where the true share is near 1 and n is 20. Source: Clopper and Pearson 1934, "The use of
    confidence or fiducial limits illustrated in the case of the binomial", Biometrika 26.
    """
    from scipy.special import betaincinv  # Imported here because loading it takes most of a second.

    tail = (1 - level) / 2
    low = float(betaincinv(of, n - of + 1, tail)) if of else 0.0
    high = float(betaincinv(of + 1, n - of, 1 - tail)) if of < n else 1.0
    return Share(of / n, low, high)
