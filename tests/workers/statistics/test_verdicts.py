"""What is concluded from tests: present, absent, undecided, or not testable."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plumbline.spec.verdicts import Verdict
from workers.statistics.verdicts import Effects, Judged, judge

NAN = np.nan


def judged(**changed: Any) -> Judged:
    """One effect of 1.0 over 12 kinds, found with p = 0.001, where 0.22 matters; short sequences are repeated."""
    given: dict[str, Any] = {
        "estimate": [1.0],
        "p_value": [0.001],
        "equivalence_p": [0.9],
        "least_p": [2.0**-11],
        "smallest_effect": [0.22],
        "n_units": [12],
        "family": [""],
    } | changed
    size = len(given["p_value"])
    types: dict[str, type] = {"n_units": np.int64, "family": np.str_}
    arrays: dict[str, Any] = {
        name: np.resize(np.array(one), size).astype(types.get(name, np.float64)) for name, one in given.items()
    }
    return judge(Effects(**arrays))


def test_an_effect_that_differs_from_zero_is_present() -> None:
    assert judged().verdict == (Verdict.PRESENT,)


def test_one_that_is_shown_to_be_smaller_than_the_margin_is_absent() -> None:
    assert judged(estimate=[0.05], p_value=[0.2], equivalence_p=[0.01]).verdict == (Verdict.ABSENT,)


def test_one_within_the_margin_is_never_present_however_small_its_p() -> None:
    found = judged(estimate=[0.2], p_value=[1e-9])
    assert (found.q_value.tolist(), found.verdict) == ([1.0], (Verdict.UNDECIDED,))


def test_without_a_margin_the_plain_q_decides_and_nothing_is_absent() -> None:
    found = judged(estimate=[0.2, 0.0], p_value=[1e-9, 0.9], smallest_effect=[NAN], equivalence_p=[NAN])
    assert found.verdict == (Verdict.PRESENT, Verdict.UNDECIDED)


def test_six_units_are_not_testable_and_in_no_family() -> None:
    found = judged(p_value=[0.001, 0.04], n_units=[6, 12])
    assert found.verdict == (Verdict.NOT_TESTABLE, Verdict.PRESENT)
    assert np.isnan(found.q_value[0])
    assert found.q_value[1] == 0.04


def test_what_could_not_have_been_reached_in_this_family_is_not_testable() -> None:
    """Ten names, five in each group: the smallest p is 2/252, and one of 100 words cannot get below 0.05."""
    p = [2 / 252, *[0.9] * 99]
    found = judged(p_value=p, least_p=[0.2])
    assert set(found.verdict) == {Verdict.NOT_TESTABLE}
    assert judged(p_value=p, least_p=[2 / 252]).verdict[0] == Verdict.UNDECIDED


def test_filtering_comes_before_the_correction() -> None:
    """Of two p of 0.03 the one within the margin enters with 1, so the other one's q is 0.06."""
    found = judged(estimate=[1.0, 0.1], p_value=[0.03, 0.03])
    assert found.q_value.tolist() == [0.06, 1.0]


def test_families_are_corrected_apart() -> None:
    found = judged(p_value=[0.03, 0.9, 0.03], family=["a", "a", "b"])
    assert found.q_value.tolist() == pytest.approx([0.06, 0.9, 0.03])


@settings(deadline=None)
@given(
    estimate=st.lists(st.floats(-2, 2), min_size=1, max_size=8),
    p=st.floats(1e-6, 1),
    equivalence=st.floats(1e-6, 1),
)
def test_an_effect_within_the_margin_is_not_present_and_one_beyond_it_is_not_absent_by_a_valid_test(
    estimate: list[float], p: float, equivalence: float
) -> None:
    """One statistic serves both tests: beyond the margin its equivalence p is at least one half."""
    beyond = [max(equivalence, 0.5) if abs(one) >= 0.22 else equivalence for one in estimate]
    found = judged(estimate=estimate, p_value=[p] * len(estimate), equivalence_p=beyond)
    for one, verdict in zip(estimate, found.verdict, strict=True):
        assert verdict != (Verdict.PRESENT if abs(one) <= 0.22 else Verdict.ABSENT)


def test_of_effects_that_are_all_null_few_are_called_present() -> None:
    random = np.random.default_rng(0)
    p = random.uniform(size=(2000, 10))
    family = np.repeat(np.arange(2000), 10).astype(str)
    found = judged(p_value=p.ravel(), smallest_effect=[NAN], family=family, estimate=[1.0])
    any_present = np.array([one == Verdict.PRESENT for one in found.verdict]).reshape(2000, 10).any(axis=1)
    assert any_present.mean() < 0.06
