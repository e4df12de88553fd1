"""A model beside people: hand-worked cases, baselines, and what is left out."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from plumbline.analyses.alignment.statistics import ALIGNMENT
from plumbline.spec.measure import Measure
from tests.workers.analyses.alignment.judged import QUICK, groups_of, judged, one, pairs_of
from workers.analyses.alignment.measures import HIDDEN, measures
from workers.statistics.precision import precision_at
from workers.statistics.units import Floats

GROUPS, PAIRS = 6, 8
TRUTH = np.random.default_rng(0).uniform(0, 100, (GROUPS, PAIRS))


def aligned(scores: Floats, truth: Floats = TRUTH, pilot: int = 0, **how: object) -> list[Measure]:
    groups, pairs = len(scores), scores.shape[1]
    return measures(scores, groups_of(groups, pilot), pairs_of(pairs), judged(truth, **how), QUICK)  # type: ignore[arg-type]


def test_a_model_that_says_what_people_say_agrees_wholly() -> None:
    found = aligned(TRUTH - 50)
    for statistic in ("kendall_tau", "kendall_tau_mean", "precision_at_3"):
        measure = one(found, statistic)
        if statistic != "precision_at_3":
            assert measure.value == pytest.approx(1.0)
        assert measure.unit == "group"
        assert (measure.n, measure.n_units) == (GROUPS * PAIRS, GROUPS)
    tau = one(found, "kendall_tau")
    assert (tau.ci_low, tau.reason) == (None, "all resamples agree: no interval")
    excess = one(found, "kendall_tau_excess")
    assert excess.p_value is not None
    assert 1 / 200 <= excess.p_value < 0.05
    assert one(aligned(50 - TRUTH), "kendall_tau").value == pytest.approx(-1.0)


def test_tau_pools_all_cells_and_its_mean_does_not() -> None:
    """Each group agrees wholly within itself, but the groups' levels are exchanged."""
    truth = np.array([[10.0, 20.0, 30.0], [60.0, 70.0, 80.0]])
    scores = np.array([[4.0, 5.0, 6.0], [1.0, 2.0, 3.0]])
    found = aligned(scores, truth)
    assert one(found, "kendall_tau_mean").value == pytest.approx(1.0)
    # Of the 15 pairs of cells 3 + 3 agree and 9 do not.
    assert one(found, "kendall_tau").value == pytest.approx((6 - 9) / 15)


def test_figures_of_a_group_are_scipys() -> None:
    scores = np.random.default_rng(1).normal(size=TRUTH.shape)
    found = aligned(scores)
    expected = stats.kendalltau(scores[2], TRUTH[2])
    own = one(found, "kendall_tau", group_a="g2")
    assert own.value == pytest.approx(expected.statistic)
    assert (own.unit, own.n, own.n_units) == ("pair", PAIRS, PAIRS)
    assert own.ci_low is not None
    assert own.ci_low <= own.value <= own.ci_high  # type: ignore[operator]


def test_precision_of_a_group_is_counted_by_hand() -> None:
    truth = np.array([[90.0, 80.0, 40.0, 60.0, 30.0, 20.0], [50.0] * 6])
    scores = np.array([[6.0, 5.0, 4.0, 3.0, 2.0, 1.0], [6.0, 5.0, 4.0, 3.0, 2.0, 1.0]])
    found = aligned(scores, truth)
    assert one(found, "precision_at_3_top", group_a="g0").value == pytest.approx(2 / 3)
    assert one(found, "precision_at_3_bottom", group_a="g0").value == pytest.approx(2 / 3)
    assert one(found, "precision_at_3", group_a="g1").value == 0.0
    assert one(found, "precision_at_3").value == pytest.approx(1 / 3)
    assert one(found, "precision_at_3", condition="chance").value == pytest.approx((0.5 + 0.0) / 2)


def test_chance_is_of_the_pairs_that_the_model_could_score() -> None:
    """Of sixteen pairs the six lowest have no score: of the other ten people rate eight above the middle, not half."""
    truth = np.tile(np.array([10.0] * 8 + [90.0] * 8), (3, 1))
    scores = np.random.default_rng(8).normal(size=truth.shape)
    scores[:, :6] = np.nan
    found = aligned(scores, truth)
    top, bottom = (one(found, f"precision_at_3_{end}", "chance") for end in ("top", "bottom"))
    assert (top.value, bottom.value) == pytest.approx((0.8, 0.2))
    noise = np.where(np.isnan(scores), np.nan, np.random.default_rng(9).normal(size=(2000, *truth.shape)))
    drawn = precision_at(3, noise, np.broadcast_to(truth, noise.shape))
    assert (drawn.top.mean(), drawn.bottom.mean()) == pytest.approx((top.value, bottom.value), abs=0.02)


def test_baselines_are_of_the_cells_that_the_model_has() -> None:
    scores = TRUTH - 50
    scores[:, :3] = np.nan
    scores[0, 3] = np.nan
    found = aligned(scores)
    cells = GROUPS * (PAIRS - 3) - 1
    assert one(found, "kendall_tau").n == one(found, "kendall_tau", "group_blind").n == cells
    # Five pairs of eight are too few for a top and a bottom, for chance as for the model.
    assert one(found, "precision_at_3").value is one(found, "precision_at_3", "chance").value is None
    assert one(found, "kendall_tau", "human_ceiling").n == 6 * cells


def test_what_all_groups_share_is_found_by_the_group_blind_baseline() -> None:
    """All groups are judged alike: the baseline predicts each of them, and exchanging groups changes nothing."""
    shared = np.tile(TRUTH[:1], (GROUPS, 1))
    found = aligned(shared - 50, shared)
    assert one(found, "kendall_tau", condition="group_blind").value == pytest.approx(1.0)
    excess = one(found, "kendall_tau_excess")
    assert excess.value == pytest.approx(0.0, abs=1e-9)
    assert excess.p_value == 1.0


def test_people_who_agree_have_a_high_ceiling_and_others_a_low_one() -> None:
    clear, loose = (aligned(TRUTH - 50, noise=noise, raters=20) for noise in (1.0, 1000.0))
    for variant in ("", "one_against_rest"):
        high, low = (one(found, "kendall_tau", "human_ceiling", variant=variant) for found in (clear, loose))
        assert high.value > 0.9 > 0.4 > low.value  # type: ignore[operator]
        assert (high.unit, high.n_units) == ("annotator", 20)
        assert high.ci_low <= high.value <= high.ci_high  # type: ignore[operator]


def test_the_ceiling_does_not_depend_on_the_model() -> None:
    ceilings = [one(aligned(scores, noise=20.0), "kendall_tau", "human_ceiling") for scores in (TRUTH, -TRUTH)]
    assert ceilings[0] == ceilings[1]


def test_turning_a_pair_round_leaves_the_mirrored_tau() -> None:
    scores, turned = np.random.default_rng(2).normal(size=TRUTH.shape), np.array([[-1.0] + [1.0] * (PAIRS - 1)])
    truth = np.where(turned < 0, 100 - TRUTH, TRUTH)
    before, after = aligned(scores), aligned(scores * turned, truth)
    assert one(after, "kendall_tau").value != pytest.approx(one(before, "kendall_tau").value)
    assert one(after, "kendall_tau", variant="mirrored").value == pytest.approx(
        one(before, "kendall_tau", variant="mirrored").value
    )


def test_the_papers_own_p_takes_cells_as_independent() -> None:
    scores = np.random.default_rng(3).normal(size=TRUTH.shape)
    expected = stats.kendalltau(scores.ravel(), TRUTH.ravel())
    own = one(aligned(scores), "kendall_tau", variant="independent_cells")
    assert (own.value, own.p_value) == pytest.approx((expected.statistic, expected.pvalue))


def test_groups_without_ratings_or_scores_are_left_out_and_listed() -> None:
    scores = np.vstack([TRUTH - 50, np.ones((1, PAIRS))])
    scores[1] = np.nan
    scores[2, 0] = np.nan
    found = aligned(scores)
    assert one(found, "kendall_tau", group_a="g6").reason == "no ratings of this group"
    assert one(found, "kendall_tau", group_a="g1").reason == "no scorable pair"
    overall = one(found, "kendall_tau")
    assert (overall.n, overall.n_units) == (5 * PAIRS - 1, 5)
    assert "left out: 1 (no ratings of this group)" in overall.reason
    assert "1 cells without a score or enough ratings" in overall.reason


def test_a_rated_group_that_was_not_asked_is_listed() -> None:
    found = measures(TRUTH[:4], groups_of(4), pairs_of(PAIRS), judged(TRUTH), QUICK)
    assert one(found, "kendall_tau", group_a="g5").reason == "rated, but no group of this audit"


def test_pairs_that_one_side_lacks_are_listed_on_either_side() -> None:
    """Asked l0 to l7, rated l0 to l7 of which the audit asks l0 to l5, and l8 which nobody rated."""
    asked = [*pairs_of(PAIRS)[:6], replace(pairs_of(PAIRS + 1)[8], left=12, right=13)]
    scores = np.hstack([TRUTH[:, :6] - 50, np.ones((GROUPS, 1))])
    found = measures(scores, groups_of(GROUPS), asked, judged(TRUTH), QUICK)
    told = {measure.attribute: measure.reason for measure in found if measure.attribute}
    rated = "rated, but no pair of this audit"
    assert told == {"l8 - r8": "no ratings of this pair", "l6 - r6": rated, "l7 - r7": rated}


def test_a_pair_that_was_rated_the_other_way_round_is_not_missed() -> None:
    turned = [replace(pair, name=" - ".join(reversed(pair.name.split(" - ")))) for pair in pairs_of(PAIRS)]
    found = measures(50 - TRUTH, groups_of(GROUPS), turned, judged(TRUTH), QUICK)
    assert not [measure for measure in found if measure.attribute]


@pytest.mark.parametrize(("keep", "variant"), [(False, "flagged_kept"), (True, "flagged_out")])
def test_measures_without_flagged_ratings_are_given_too(keep: bool, variant: str) -> None:
    """Of the first group two pairs are copied: their cells are listed, and tau is there with and without them."""
    truth = TRUTH.copy()
    truth[0, 1] = truth[0, 0]
    given = judged(truth, noise=5.0)
    given.values[:, 0, 1] = given.values[:, 0, 0]
    found = measures(TRUTH - 50, groups_of(GROUPS), pairs_of(PAIRS), given.checked(keep=keep), QUICK)
    n = {one(found, "kendall_tau").n, one(found, "kendall_tau", variant=variant).n}
    assert n == {GROUPS * PAIRS, GROUPS * PAIRS - 2}
    assert one(found, "kendall_tau").n == GROUPS * PAIRS - 2 * (not keep)
    assert one(found, "kendall_tau_excess", variant=variant).value is not None
    listed = {measure.attribute: measure for measure in found if measure.attribute}
    assert list(listed) == ["l0 - r0", "l1 - r1"]
    assert {(measure.group_a, measure.value) for measure in listed.values()} == {("g0", None)}


def test_few_raters_are_hidden() -> None:
    found = aligned(TRUTH - 50, raters=4)
    assert {measure.value for measure in found} == {None}
    assert {measure.reason for measure in found} == {HIDDEN}


def test_without_the_pilot_groups_there_are_fewer() -> None:
    scores = np.random.default_rng(4).normal(size=TRUTH.shape)
    found = aligned(scores, pilot=2)
    expected = stats.kendalltau(scores[2:].ravel(), TRUTH[2:].ravel())
    own = one(found, "kendall_tau", variant="test_groups")
    assert own.value == pytest.approx(expected.statistic)
    assert own.n_units == 4
    assert one(found, "precision_at_3", "chance", variant="test_groups").n_units == 4
    assert one(found, "kendall_tau", "human_ceiling", variant="test_groups").n == 4 * PAIRS * 6
    assert not [measure for measure in aligned(scores) if measure.variant == "test_groups"]


def test_a_breakdown_holds_the_model_against_its_own_annotators() -> None:
    """Women rate as the truth is, men the other way round; five tell nothing."""

    def tell(rater: int) -> dict[str, str]:
        return {"gender": "woman"} if rater < 5 else {}

    found = aligned(TRUTH - 50, raters=9, tell=tell)
    women = one(found, "kendall_tau", category="gender: woman")
    assert women.value == pytest.approx(1.0)
    assert women.n_units == GROUPS
    assert one(found, "kendall_tau", category="gender: woman", group_a="g3").value == pytest.approx(1.0)
    for statistic, condition in (("precision_at_3", "chance"), ("kendall_tau", "human_ceiling")):
        assert one(found, statistic, condition, category="gender: woman").value is not None
    own = one(found, "kendall_tau", category="gender: woman", group_a="g3")
    assert (own.ci_low, own.reason) == (None, "all resamples agree: no interval")
    few = aligned(TRUTH - 50, raters=9, tell=lambda rater: {"gender": "woman"} if rater < 4 else {})
    assert one(few, "kendall_tau", category="gender: woman").reason == HIDDEN


def test_one_group_has_no_interval_and_no_test() -> None:
    found = aligned(TRUTH[:1] - 50, TRUTH[:1])
    tau = one(found, "kendall_tau")
    assert tau.value == pytest.approx(1.0)
    assert tau.ci_low is None
    assert "one group" in tau.reason
    assert "one group" in one(found, "kendall_tau_excess").reason


def test_every_measure_is_on_the_card_and_names_its_units() -> None:
    found = aligned(np.random.default_rng(5).normal(size=TRUTH.shape), pilot=2, noise=10.0)
    assert {measure.statistic for measure in found} == {statistic.name for statistic in ALIGNMENT}
    for measure in found:
        assert measure.condition
        assert measure.value is not None or measure.reason
        assert measure.ci_low is not None or measure.reason or measure.category or measure.variant
    keys = [(one.statistic, one.variant, one.condition, one.group_a, one.category, one.template) for one in found]
    assert len(set(keys)) == len(keys)


def test_a_seed_gives_the_same_figures_again() -> None:
    scores = np.random.default_rng(6).normal(size=TRUTH.shape)
    assert aligned(scores, noise=10.0) == aligned(scores, noise=10.0)
