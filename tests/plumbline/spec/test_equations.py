"""The equations of cards say over which units a figure is a mean."""

import pytest

from plumbline.spec.registry import PROBES


@pytest.mark.parametrize("probe", ["ilps", "ilps_chain", "set", "log_probability"])
def test_associations_are_means_over_kinds_of_sentence(probe: str) -> None:
    card = PROBES[probe].card
    told = [one.equation for one in (*card.statistics, card.compared)]
    assert not [equation for equation in told if "mean over templates" in equation]
    assert any("mean over kinds of sentence" in equation for equation in told)
