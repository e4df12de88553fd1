"""The choice of templates on a pilot, and its worth on other groups and raters."""

import numpy as np
import pytest
from scipy import stats

from plumbline.spec.measure import Measure
from tests.workers.analyses.alignment.judged import QUICK, groups_of, judged, one, pairs_of
from workers.analyses.alignment import pilot
from workers.analyses.alignment.pilot import CHOSEN, choose, measures, pilot_raters
from workers.statistics.units import Floats

GROUPS, PAIRS, PILOT = 6, 5, 2
TRUTH = np.random.default_rng(0).uniform(0, 100, (GROUPS, PAIRS))
NOISE = np.random.default_rng(1).normal(0, 60, (GROUPS, PAIRS))


def piloted(values: Floats, raters: int = 20, annotations: int = 5, pilot_groups: int = PILOT) -> list[Measure]:
    names = [f"T{number}" for number in range(len(values))]
    groups, pairs = groups_of(GROUPS, pilot_groups), pairs_of(PAIRS)
    return measures(values, names, groups, pairs, judged(TRUTH, raters), annotations, QUICK)


def test_two_templates_whose_faults_cancel_are_chosen_together() -> None:
    found = piloted(np.stack([TRUTH + NOISE, TRUTH - NOISE, -TRUTH]))
    both = one(found, "kendall_tau", "pilot", template="T0 + T1", variant=CHOSEN)
    assert both.value == pytest.approx(1.0)
    assert (both.n, both.n_units) == (PILOT * PAIRS, PILOT)
    held_out = one(found, "kendall_tau", "held_out", template="T0 + T1", variant=CHOSEN)
    assert held_out.value == pytest.approx(1.0)
    excess = one(found, "kendall_tau_excess", "held_out", template="T0 + T1", variant=CHOSEN)
    assert (held_out.n_units, excess.p_value is not None) == (GROUPS - PILOT, True)
    assert one(found, "precision_at_3", "held_out", template="T0 + T1", variant=CHOSEN).reason
    ceiling = one(found, "kendall_tau", "human_ceiling", template="T0 + T1", variant=CHOSEN)
    assert ceiling.value == pytest.approx(1.0)
    assert 20 - 2 * 5 <= ceiling.n_units <= 20 - 5


def test_one_template_is_chosen_where_two_are_not_better() -> None:
    found = piloted(np.stack([TRUTH, TRUTH + 1, -TRUTH]))
    assert one(found, "kendall_tau", "pilot", template="T0", variant=CHOSEN).value == pytest.approx(1.0)


def test_every_template_and_every_two_are_reported_on_both_sides() -> None:
    values = np.random.default_rng(2).normal(size=(4, GROUPS, PAIRS))
    found = [measure for measure in piloted(values) if measure.statistic == "kendall_tau"]
    for condition in ("pilot", "held_out"):
        assert len([measure for measure in found if measure.condition == condition]) == 4 + 6
        assert len([one for one in found if (one.condition, one.variant) == (condition, CHOSEN)]) == 1
    chosen = next(one.template for one in found if one.variant == CHOSEN)
    other = next(name for name in ("T0 + T1", "T0 + T2") if name != chosen)
    first, second = (int(name[1:]) for name in other.split(" + "))
    mean = (values[first] + values[second]) / 2
    expected = stats.kendalltau(mean[:PILOT].ravel(), TRUTH[:PILOT].ravel()).statistic
    assert one(found, "kendall_tau", "pilot", template=other).value == pytest.approx(expected)


def test_groups_without_ratings_change_nothing_and_cost_nothing() -> None:
    """A run over all pairs of groups has thousands of them."""
    values, pairs = np.random.default_rng(3).normal(size=(3, GROUPS, PAIRS)), pairs_of(PAIRS)
    wide = np.concatenate([values, np.ones((3, 2, PAIRS))], axis=1)
    names = ["T0", "T1", "T2"]
    few, many = (
        measures(table, names, groups_of(count, PILOT), pairs, judged(TRUTH, 20), 5, QUICK)
        for table, count in ((values, GROUPS), (wide, GROUPS + 2))
    )
    assert few == many


def test_raters_of_the_pilot_have_no_part_in_its_worth() -> None:
    """All twelve rate all groups: of seven the pilot knows nothing, so the other groups are judged by these."""
    ratings = judged(TRUTH, raters=12).values
    few = pilot_raters(ratings, np.array([True, False] * 3), 5, QUICK)
    assert few.sum(axis=0).tolist() == [5, 0] * 3
    found = piloted(np.stack([TRUTH, -TRUTH]), raters=9, annotations=5)
    # Two pilot groups of five raters each leave fewer than five of nine.
    held_out = [one for one in found if one.condition == "held_out"]
    assert {measure.value for measure in held_out} == {None}


def test_many_templates_are_paired_only_where_they_are_good(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pilot, "MOST_PAIRED", 2)
    found = piloted(np.stack([-TRUTH, TRUTH + NOISE, -TRUTH + NOISE, TRUTH - NOISE]))
    told = [measure.template for measure in found if measure.condition == "pilot"]
    assert told == ["T0", "T1", "T2", "T3", "T1 + T3"]


@pytest.mark.parametrize("change", [{"pilot_groups": 0}, {"values": TRUTH[None]}])
def test_without_pilot_groups_or_a_second_template_there_is_nothing_to_choose(change: dict[str, object]) -> None:
    assert piloted(**({"values": np.stack([TRUTH, -TRUTH])} | change)) == []  # type: ignore[arg-type]


def test_where_all_groups_are_the_pilots_nothing_can_be_held_out() -> None:
    found = piloted(np.stack([TRUTH, -TRUTH]), pilot_groups=GROUPS)
    held_out = [measure for measure in found if measure.condition == "held_out"]
    assert {(measure.value, measure.reason) for measure in held_out} == {(None, "no rated group outside of the pilot")}


def test_of_equal_candidates_the_one_of_fewer_templates_is_chosen() -> None:
    assert choose(np.array([0.1, 0.3, 0.3 + 1e-12, np.nan]), np.array([1, 2, 1, 1])) == 2
    assert choose(np.array([np.nan, np.nan]), np.array([1, 1])) is None
