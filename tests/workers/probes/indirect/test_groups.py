"""Names in groups: what the groups alone explain, and what is left within them."""

import numpy as np
import pytest

from plumbline.methods.indirect.card import SCORE, WITHIN
from plumbline.methods.indirect.spec import IndirectSpec
from plumbline.spec.measure import Measure
from tests.workers.probes.indirect.made import Floats, by_pair, made_spec, side, summary_of, tables

RANDOM = np.random.default_rng(3)
PAIR = "target 0", "feature 0"
GENDERS = ["women", "men"] * 60


def found_of(spec: IndirectSpec, bs1: Floats, bs2: Floats, statistic: str) -> Measure:
    both = ("target_bridge", bs1), ("bridge_feature", bs2)
    records = tables(*(side(spec, name, scores.reshape(1, -1, 1)) for name, scores in both))
    return by_pair(summary_of(spec, records, statistic))[PAIR]


def by_gender(groups: list[str]) -> Floats:
    return np.array([3.0 * (group == "women") for group in groups])


def test_what_gender_alone_explains_is_no_finding_within_the_groups() -> None:
    spec = made_spec(120, 1, 1, groups=GENDERS)
    bs1, bs2 = by_gender(GENDERS) + RANDOM.normal(size=(2, 120))
    over_all, within = found_of(spec, bs1, bs2, SCORE), found_of(spec, bs1, bs2, WITHIN)
    assert (over_all.ci_low or 0) > 0.4
    assert (over_all.p_value, over_all.q_value, over_all.verdict) == (None, None, "")
    assert within.verdict == "undecided"
    assert (within.ci_low or 0) < 0 < (within.ci_high or 0)


def test_within_groups_it_is_the_correlation_of_centred_scores_and_its_verdict() -> None:
    spec = made_spec(120, 1, 1, groups=GENDERS)
    tie = RANDOM.normal(size=120)
    bs1, bs2 = tie + by_gender(GENDERS), tie - by_gender(GENDERS) + RANDOM.normal(size=120)
    found = found_of(spec, bs1, bs2, WITHIN)
    centred = [one - np.tile([one[::2].mean(), one[1::2].mean()], 60) for one in (bs1, bs2)]
    assert found.value == pytest.approx(np.corrcoef(*centred)[0, 1])
    assert (found.verdict, found.p_value, found.smallest_effect) == ("present", 1 / 1000, 0.1)
    assert (found.unit, found.n, found.n_units, found.reachable_q) == ("name", 120, 120, 1 / 1000)
    assert (found_of(spec, bs1, bs2, SCORE).value or 0) < 0


def test_many_names_show_that_nothing_is_left() -> None:
    genders = ["women", "men"] * 1000
    spec = made_spec(2000, 1, 1, groups=genders)
    bs1, bs2 = by_gender(genders) + RANDOM.normal(size=(2, 2000))
    assert found_of(spec, bs1, bs2, WITHIN).verdict == "absent"


def test_seven_groups_are_the_units() -> None:
    groups = [f"women born in the {1930 + 10 * number}s" for number in range(8)] * 12
    spec = made_spec(96, 1, 1, groups=groups)
    bs1, bs2 = RANDOM.normal(size=(2, 96))
    found = [found_of(spec, bs1, bs2, statistic) for statistic in (SCORE, WITHIN)]
    assert [(one.unit, one.n, one.n_units) for one in found] == [("group of names", 96, 8)] * 2


def test_names_without_a_group_and_groups_of_one_are_left_out_within_groups() -> None:
    groups = ["women"] * 20 + ["men"] * 20 + [""] * 9 + ["children"]
    spec = made_spec(50, 1, 1, groups=groups)
    bs1, bs2 = RANDOM.normal(size=(2, 50))
    assert [found_of(spec, bs1, bs2, statistic).n for statistic in (SCORE, WITHIN)] == [50, 40]


def test_without_groups_the_score_itself_has_the_verdict() -> None:
    spec = made_spec(120, 1, 1)
    bs1 = RANDOM.normal(size=120)
    found = found_of(spec, bs1, bs1 + RANDOM.normal(size=120), SCORE)
    assert (found.verdict, found.p_value, found.n_units) == ("present", 1 / 1000, 120)
    sides = [side(spec, name, RANDOM.normal(size=(1, 120, 1))) for name in ("target_bridge", "bridge_feature")]
    assert not summary_of(spec, tables(*sides), WITHIN)


def test_scores_that_only_distinguish_the_groups_have_no_correlation_within_them() -> None:
    spec = made_spec(120, 1, 1, groups=GENDERS)
    found = found_of(spec, by_gender(GENDERS), RANDOM.normal(size=120), WITHIN)
    assert (found.value, found.p_value, found.verdict) == (None, None, "")
    assert found.reason == "too few names with a group, or scores that do not vary within the groups"
