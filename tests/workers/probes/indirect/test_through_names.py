"""The score through names and what is left of it, on made-up records."""

from math import log

import numpy as np
import pytest

from plumbline.methods.indirect.card import BRIDGE_SHARE, CENTRED, PARTIAL, SCORE, SIGN, WITHOUT, WITHOUT_VARIANT
from tests.workers.probes.indirect.made import RACES, Floats, by_pair, made_spec, side, summary_of, tables

RANDOM = np.random.default_rng(7)
PAIR = "target 0", "feature 0"
OF_RACES = f"bridge_feature:{RACES}"


def algorithm_3_1(p1: Floats, prior1: Floats, p2: Floats, prior2: Floats) -> float:
    """As the thesis prints it, for one target and one feature: probabilities [templates, names] on both sides."""
    bs1, bs2 = [], []
    for b in range(p1.shape[1]):
        bs1.append(log(sum(p1[:, b]) / len(p1) / (sum(prior1[:, b]) / len(prior1))))
        bs2.append(log(sum(p2[:, b]) / len(p2) / (sum(prior2[:, b]) / len(prior2))))
    mean1, mean2 = sum(bs1) / len(bs1), sum(bs2) / len(bs2)
    covariance = sum((a - mean1) * (b - mean2) for a, b in zip(bs1, bs2, strict=True))
    return float(covariance / (sum((a - mean1) ** 2 for a in bs1) * sum((b - mean2) ** 2 for b in bs2)) ** 0.5)


def test_the_score_is_that_of_the_algorithm_as_printed() -> None:
    spec = made_spec(12, templates=(3, 2, 0))
    p1, prior1 = RANDOM.uniform(1e-5, 0.2, (2, 3, 12, 2))
    p2, prior2 = RANDOM.uniform(1e-5, 0.2, (2, 2, 12, 2))
    records = tables(
        side(spec, "target_bridge", np.log(p1), np.log(prior1)),
        side(spec, "bridge_feature", np.log(p2), np.log(prior2)),
    )
    found = by_pair(summary_of(spec, records, SCORE))
    for target in range(2):
        for feature in range(2):
            expected = algorithm_3_1(
                *(one[..., target] for one in (p1, prior1)), *(o[..., feature] for o in (p2, prior2))
            )
            assert found[f"target {target}", f"feature {feature}"].value == pytest.approx(expected)


def test_a_case_worked_out_by_hand() -> None:
    """BS1 = ln 2 for five names and 0 for five; BS2 = 0 for four of the former and one of the latter, else ln 3."""
    spec = made_spec(10, 1, 1)
    bs1 = np.log([2.0] * 5 + [1] * 5).reshape(1, 10, 1)
    bs2 = np.log([1.0] * 4 + [3] + [1] + [3] * 4).reshape(1, 10, 1)
    records = tables(side(spec, "target_bridge", bs1 - 3), side(spec, "bridge_feature", bs2 - 3))
    # Of two such columns r is the phi coefficient: (1 x 1 - 4 x 4) / 25.
    assert by_pair(summary_of(spec, records, SCORE))[PAIR].value == pytest.approx(-0.6)


def test_logarithms_are_averaged_where_the_spec_says_so() -> None:
    spec = made_spec(12, 1, 1, templates=(2, 2, 0), average="log")
    bs1, bs2 = RANDOM.normal(size=(2, 2, 12, 1))
    records = tables(side(spec, "target_bridge", bs1 - 3), side(spec, "bridge_feature", bs2 - 3))
    expected = np.corrcoef(bs1.mean(axis=0)[:, 0], bs2.mean(axis=0)[:, 0])[0, 1]
    assert by_pair(summary_of(spec, records, SCORE, "average log"))[PAIR].value == pytest.approx(expected)


def test_centring_takes_out_what_all_targets_share() -> None:
    spec = made_spec(200, 3, 1)
    shared, own = RANDOM.normal(size=(200, 1)), RANDOM.normal(size=(200, 3))
    feature = 3 * shared + own[:, :1]
    records = tables(side(spec, "target_bridge", (own + 3 * shared)[None]), side(spec, "bridge_feature", feature[None]))
    plain, centred = (by_pair(summary_of(spec, records, statistic)) for statistic in (SCORE, CENTRED))
    assert (plain["target 1", "feature 0"].value or 0) > 0.8
    expected = np.corrcoef((own - own.mean(axis=1, keepdims=True))[:, 1], feature[:, 0])[0, 1]
    one = centred["target 1", "feature 0"]
    assert one.value == pytest.approx(expected)
    assert one.ci_low is not None
    assert one.ci_high is not None
    assert one.ci_low < expected < one.ci_high
    assert (one.p_value, one.q_value, one.verdict) == (None, None, "")


def test_the_partial_score_holds_the_names_prior_fixed() -> None:
    spec = made_spec(200, 1, 1)
    prior = RANDOM.normal(-6, 1, 200)
    noise = RANDOM.normal(size=(2, 200))
    target, feature = -3 * prior + noise[0], -3 * prior + noise[1]
    records = tables(
        side(spec, "target_bridge", (target + prior)[None, :, None], prior[None, :, None]),
        side(spec, "bridge_feature", feature[None, :, None] - 3),
    )
    plain, partial = (by_pair(summary_of(spec, records, statistic))[PAIR] for statistic in (SCORE, PARTIAL))
    inverse = np.linalg.inv(np.cov([target, feature, prior]))
    assert (plain.value or 0) > 0.8
    assert partial.value == pytest.approx(-inverse[0, 1] / np.sqrt(inverse[0, 0] * inverse[1, 1]))
    assert abs(partial.value or 1) < 0.2


@pytest.mark.parametrize("explains", [True, False])
def test_a_sensitive_attribute_that_explains_all_leaves_nothing_and_one_that_explains_nothing_all(
    explains: bool,
) -> None:
    spec = made_spec(200, 1, 1, sensitive=["Black", "White"])
    cause, noise = RANDOM.normal(size=200), RANDOM.normal(0, 0.3, size=(2, 200))
    sensitive = np.column_stack([cause, -cause]) if explains else RANDOM.normal(size=(200, 2))
    records = tables(
        side(spec, "target_bridge", (cause + noise[0])[None, :, None]),
        side(spec, "bridge_feature", (cause + noise[1])[None, :, None]),
        side(spec, OF_RACES, sensitive[None]),
    )
    plain = by_pair(summary_of(spec, records, SCORE))[PAIR]
    left = by_pair(summary_of(spec, records, WITHOUT, f"{WITHOUT_VARIANT}{RACES}"))
    assert (plain.value or 0) > 0.85
    assert set(left) == {PAIR}
    found = left[PAIR]
    assert found.value == pytest.approx(0, abs=0.2) if explains else found.value == pytest.approx(plain.value, abs=0.03)
    assert found.ci_low is not None


def test_below_twenty_names_nothing_can_be_taken_out() -> None:
    spec = made_spec(19, 1, 1, sensitive=["Black", "White"])
    sides = ("target_bridge", 1), ("bridge_feature", 1), (OF_RACES, 2)
    records = tables(*(side(spec, name, RANDOM.normal(size=(1, 19, words))) for name, words in sides))
    (found,) = summary_of(spec, records, WITHOUT, f"{WITHOUT_VARIANT}{RACES}")
    assert found.value is None
    assert found.reason.startswith("too few names")


def test_sensitive_words_have_scores_in_sentences_of_their_own() -> None:
    spec = made_spec(30, 1, 1, sensitive=["Black", "White"])
    sides = ("target_bridge", 1), ("bridge_feature", 1), (OF_RACES, 2)
    scores = {name: RANDOM.normal(size=(1, 30, words)) for name, words in sides}
    records = tables(*(side(spec, name, found) for name, found in scores.items()))
    found = {(one.category, one.attribute): one for one in summary_of(spec, records, SCORE)}
    expected = np.corrcoef(scores["target_bridge"][0, :, 0], scores[OF_RACES][0, :, 1])[0, 1]
    assert found[RACES, "White"].value == pytest.approx(expected)
    # One test in its own family.
    assert found["", "feature 0"].q_value in (found["", "feature 0"].p_value, 1.0)


def test_the_sign_is_held_against_that_of_each_pair_of_templates() -> None:
    spec = made_spec(40, 2, 3, templates=(3, 4, 0))
    bs1, bs2 = RANDOM.normal(size=(3, 40, 2)), RANDOM.normal(size=(4, 40, 3))
    records = tables(side(spec, "target_bridge", bs1 - 3), side(spec, "bridge_feature", bs2 - 3))
    scores, found = (by_pair(summary_of(spec, records, statistic)) for statistic in (SCORE, SIGN))
    for target in range(2):
        for feature in range(3):
            pair = f"target {target}", f"feature {feature}"
            of_pairs = [np.corrcoef(one[:, target], other[:, feature])[0, 1] for one in bs1 for other in bs2]
            same = [np.sign(r) == np.sign(scores[pair].value or 0) for r in of_pairs]
            assert found[pair].value == pytest.approx(np.mean(same))
            assert found[pair].n == 12


def test_one_template_on_each_side_says_nothing_of_the_sign() -> None:
    spec = made_spec(30, 1, 1)
    records = tables(
        *(side(spec, name, RANDOM.normal(size=(1, 30, 1))) for name in ("target_bridge", "bridge_feature"))
    )
    (found,) = summary_of(spec, records, SIGN)
    assert (found.value, found.reason) == (None, "one template on each side: its sign is that of the score")


def test_what_has_no_score_in_some_template_is_left_out_and_says_why() -> None:
    spec = made_spec(30, 1, 2, templates=(2, 2, 0))
    bs1, bs2 = RANDOM.normal(size=(2, 30, 1)), RANDOM.normal(size=(2, 30, 2))
    bs1[0, 4], bs2[1, :, 1] = np.nan, np.nan
    records = tables(side(spec, "target_bridge", bs1), side(spec, "bridge_feature", bs2))
    found = by_pair(summary_of(spec, records, SCORE))
    assert found[PAIR].n == 29
    assert found["target 0", "feature 1"].reason == "no score with some name: split"
    shares = {one.category: one.value for one in summary_of(spec, records, BRIDGE_SHARE)}
    assert shares == {"names": pytest.approx(29 / 30), "features": pytest.approx(1 / 2)}


def test_scores_that_do_not_vary_are_undefined() -> None:
    spec = made_spec(30, 1, 1)
    records = tables(
        side(spec, "target_bridge", np.full((1, 30, 1), -2.0)),
        side(spec, "bridge_feature", RANDOM.normal(size=(1, 30, 1))),
    )
    (found,) = summary_of(spec, records, SCORE)
    assert (found.value, found.reason) == (None, "too few names, or scores that do not vary")
