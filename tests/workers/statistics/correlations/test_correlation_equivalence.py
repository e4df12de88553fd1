"""The test that a correlation is smaller than a margin."""

import numpy as np
import pytest

from workers.statistics.correlations.correlation_equivalence import equivalence_p

MARGIN = 0.1


def test_equivalence_is_tested_on_fishers_scale() -> None:
    """A margin of 0.1 and a correlation of 0 with a standard error of 0.05: t = 0.1003 / 0.05 with 24 degrees."""
    drawn = np.tanh(0.05 * np.array([-1.0, 1.0]) / np.sqrt(2))
    assert equivalence_p(0.0, drawn, MARGIN, 25) == pytest.approx(0.0281, abs=1e-4)
    assert equivalence_p(0.2, drawn, MARGIN, 25) > 0.5
    assert np.isnan(equivalence_p(0.0, drawn, np.nan, 25))
