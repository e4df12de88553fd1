"""Outcomes before and after, which the simulations read from the view's own rule."""

import numpy as np
import pytest

from bench.simulations.before_after import DESIGNS, Changes, Outcome, outcomes
from plumbline.results.before_after import OUTCOMES
from plumbline.spec.power.default_spreads import MEASURED

MASKED = next(iter(MEASURED))


@pytest.mark.parametrize(
    ("before", "after", "change", "outcome"),
    [
        (("present", 1.0), ("absent", 0.01), ("present", -0.99), "gone"),
        (("present", 1.0), ("undecided", 0.3), ("undecided", -0.7), "undecided"),
        (("present", 1.0), ("undecided", 0.3), ("present", -0.7), "weaker"),
        (("present", -1.0), ("present", -1.6), ("present", -0.6), "stronger"),
        (("present", 1.0), ("present", -1.0), ("undecided", -2.0), "reversed"),
        (("undecided", 0.1), ("present", 1.0), ("present", 0.9), "new"),
        (("present", 1.0), ("present", 1.0), ("absent", 0.0), "unchanged"),
        (("", 1.0), ("present", 1.0), ("absent", 0.0), "undecided"),
    ],
)
def test_the_rule_is_that_of_the_view(
    before: tuple[str, float], after: tuple[str, float], change: tuple[str, float], outcome: str
) -> None:
    assert outcomes([before], [after], [change]).tolist() == [outcome]
    assert outcome in OUTCOMES


def test_every_outcome_that_is_a_finding_has_a_row() -> None:
    # "changed" is the verdict of the change itself, which has its rows with its probe.
    assert {*DESIGNS, "unchanged", "undecided", "changed"} == set(OUTCOMES)


@pytest.mark.parametrize("outcome", [*DESIGNS, "unchanged"])
def test_an_outcome_is_found_where_it_is_true_and_next_to_never_where_nothing_changes(outcome: str) -> None:
    row = Outcome(outcome, "a word", MASKED).row(100, np.random.default_rng(0))
    assert row.power is not None
    assert outcome == "unchanged" or row.present_at_0 == 0
    # A sign turns rarely enough to be seen where the differences are small.
    assert row.power > (0 if outcome == "reversed" else 0.5)


def test_few_of_the_words_that_are_said_to_have_changed_did_not() -> None:
    row = Changes("32 words", MASKED, 3).row(30, np.random.default_rng(0))
    assert row.type_1_error is not None
    assert row.type_1_error <= 0.06
    assert row.power is not None
    assert row.power > 0.5
