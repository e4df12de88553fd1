"""Is a model closer to what people say of a group than to what they say of others? T - T0, its interval and tests."""

from dataclasses import replace

import numpy as np
import pytest

from plumbline.spec.audit import parse
from plumbline.spec.verdicts import Verdict
from tests.plumbline.spec.test_human import SPEC
from tests.workers.analyses.alignment.judged import QUICK, groups_of, judged, one, pairs_of
from workers.analyses.alignment.agreement import Tables
from workers.analyses.alignment.excess import excess, excess_of
from workers.analyses.alignment.measures import measures
from workers.measures.families import family_by
from workers.measures.judging import judged as with_verdicts
from workers.statistics.correlations.rank_agreement import kendall_tau, permuted_taus
from workers.statistics.resampling import Resampling
from workers.statistics.units import Floats

MARGIN = 0.1
GROUPS, PAIRS = 12, 8
GENERATOR = np.random.default_rng(0)
SHARED = GENERATOR.normal(size=PAIRS)
OWN = GENERATOR.normal(size=(GROUPS, PAIRS))
HUMAN = 50 + 12 * (2 * SHARED + OWN)


def tables_of(scores: Floats, human: Floats = HUMAN) -> Tables:
    return Tables(tuple(f"g{row}" for row in range(len(scores))), scores, human)


def test_the_excess_is_tau_minus_its_mean_over_exchanges() -> None:
    scores = SHARED + OWN
    exchanged, found = excess(tables_of(scores), QUICK, MARGIN)
    tau, _ = kendall_tau(scores.ravel(), HUMAN.ravel())
    mean = permuted_taus(scores, HUMAN, Resampling(permutations=4000).orders(GROUPS)).mean()
    assert (exchanged.statistic, exchanged.condition) == ("kendall_tau", "exchanged")
    assert exchanged.value == pytest.approx(mean, abs=0.005)
    assert found.value == pytest.approx(tau - exchanged.value)  # type: ignore[operator]
    assert found.ci_low < found.value < found.ci_high  # type: ignore[operator]
    assert (found.unit, found.n_units) == ("group", GROUPS)


@pytest.mark.parametrize("towards", [1, -1])
def test_a_shared_order_is_no_excess_whether_followed_or_opposed(towards: int) -> None:
    """The model knows what people say of everybody, or its opposite, and nothing of any one group."""
    scores = towards * 2 * SHARED + 0.1 * np.random.default_rng(1).normal(size=(GROUPS, PAIRS))
    tau, _ = kendall_tau(scores.ravel(), HUMAN.ravel())
    _, found = excess(tables_of(scores), QUICK, MARGIN)
    assert abs(tau) > 0.4
    assert abs(found.value or 0.0) < MARGIN
    assert (found.p_value or 0.0) > 0.05


def test_a_model_that_opposes_the_shared_order_may_still_distinguish_groups() -> None:
    """Tau is below zero and the excess above: neither sign alone says how the model stands to people."""
    exchanged, found = excess(tables_of(OWN - 3 * SHARED), QUICK, MARGIN)
    assert exchanged.value + found.value < 0 < found.value  # type: ignore[operator]
    assert found.p_value < 0.05  # type: ignore[operator]


@pytest.mark.parametrize("towards", [2.0, -2.0])
def test_exchangeable_groups_are_rarely_distinguished(towards: float) -> None:
    """The null: a strong shared pattern, and nothing of any group in the scores."""
    generator, rejected, simulations = np.random.default_rng(2), 0, 200
    for seed in range(simulations):
        shared, own, noise = generator.normal(size=6), *generator.normal(size=(2, 8, 6))
        found = excess_of(towards * shared + noise, 2 * shared + own, Resampling(seed, 10, 199), MARGIN)
        rejected += found.p_value <= 0.05
    assert rejected <= 0.06 * simulations


def test_few_groups_have_fewer_exchanges_than_draws() -> None:
    assert excess_of(OWN[:3], HUMAN[:3], QUICK, MARGIN).least_p == pytest.approx(1 / 6)
    assert excess_of(OWN, HUMAN, QUICK, MARGIN).least_p == pytest.approx(1 / 200)


def test_a_small_excess_beyond_chance_is_not_present() -> None:
    """The case that was told as agreement: tau +0.0045, with exchanged ratings -0.079, p below 0.05."""
    spec = parse(SPEC)
    (case,) = [one for one in excess(tables_of(OWN), QUICK, MARGIN) if one.condition == "model"]
    weak = replace(case, value=0.0045 + 0.079, p_value=0.0195, equivalence_p=0.4)
    (told,) = with_verdicts(spec, [weak], family_by(spec.families))
    assert told.verdict == Verdict.UNDECIDED


def test_an_excess_of_few_groups_is_not_testable_and_tau_has_no_verdict() -> None:
    spec = parse(SPEC)
    found = measures(OWN[:5], groups_of(5), pairs_of(PAIRS), judged(HUMAN[:5]), QUICK, MARGIN)
    told = with_verdicts(spec, found, family_by(spec.families))
    assert one(told, "kendall_tau_excess").verdict == Verdict.NOT_TESTABLE
    assert {measure.verdict for measure in told if measure.statistic != "kendall_tau_excess"} == {""}
    assert {measure.p_value for measure in told if measure.statistic == "kendall_tau" and not measure.variant} == {None}
