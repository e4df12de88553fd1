import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.statistics import q_values

NAN = np.nan
p_values = st.lists(st.floats(1e-4, 1.0), min_size=1, max_size=30)


def test_benjamini_and_hochberg_worked_by_hand() -> None:
    # In order 0.005, 0.01, 0.03, 0.04: times 4/rank 0.02, 0.02, 0.04, 0.04.
    assert q_values(np.array([0.01, 0.04, 0.03, 0.005]), [0, 0, 0, 0]) == pytest.approx([0.02, 0.04, 0.04, 0.02])


def test_each_family_is_corrected_by_itself() -> None:
    p = np.array([0.01, 0.02, 0.01, 0.02])
    assert q_values(p, ["gender", "gender", "age", "religion"]) == pytest.approx([0.02, 0.02, 0.01, 0.02])


def test_an_undefined_p_stays_undefined_and_is_not_counted() -> None:
    assert q_values(np.array([0.01, NAN, NAN, 0.02]), [0, 0, 1, 0]) == pytest.approx(
        [0.02, NAN, NAN, 0.02], nan_ok=True
    )


def test_a_family_without_any_p_gives_nothing() -> None:
    assert np.isnan(q_values(np.array([NAN, NAN]), [0, 0])).all()
    assert q_values(np.array([]), []).size == 0


def test_a_label_is_needed_for_each_test() -> None:
    with pytest.raises(ValueError, match="2 tests but family labels of shape"):
        q_values(np.array([0.1, 0.2]), [0])


@given(p=p_values)
def test_q_is_never_below_p_and_keeps_the_order(p: list[float]) -> None:
    ordered = np.sort(p)
    q = q_values(ordered, np.zeros(len(p)))
    assert (q >= ordered - 1e-12).all()
    assert (np.diff(q) >= 0).all()
    assert q.max() <= 1


@given(p=p_values, labels=st.data())
def test_q_does_not_depend_on_the_order_of_the_tests(p: list[float], labels: st.DataObject) -> None:
    family = np.array(labels.draw(st.lists(st.sampled_from("ab"), min_size=len(p), max_size=len(p))))
    order = labels.draw(st.permutations(range(len(p))))
    assert np.array_equal(q_values(np.array(p)[order], family[order]), q_values(np.array(p), family)[order])
