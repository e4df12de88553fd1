"""Scores under other priors, derived from records: which there are, and what of a run depends on them."""

from typing import Any, cast

import numpy as np
import polars as pl
import pytest

from plumbline.methods.association.log_probability import CARD as LOG_PROBABILITY
from plumbline.spec.association import AssociationSpec
from plumbline.spec.audit import parse
from plumbline.spec.content import Attribute, Group
from plumbline.spec.materials import Materials
from plumbline.spec.measure import Measure
from plumbline.spec.registry import PROBES
from plumbline.spec.robustness import RANK_AGREEMENT
from workers.probes.association.distances import Distances
from workers.probes.association.priors import group_is_scored, other_priors
from workers.probes.association.summary import summarise
from workers.probes.cell_scores.contrasts import cube
from workers.probes.cell_scores.readings import LogProbabilities
from workers.statistics.units import Floats

NONE, MEAN = "prior: none", "prior: mean over groups"
GROUPS, WORDS = ("g0", "g1", "g2"), ("cold", "warm", "poor", "rich", "dull", "keen")
TEMPLATES = tuple(f"{{Group}} in {year} looked {{attribute}}." for year in range(2001, 2009))
MATERIALS = Materials(
    TEMPLATES, tuple(Group(label=one) for one in GROUPS), tuple(Attribute(text=one) for one in WORDS), ("",) * 6
)
NOISE = np.random.default_rng(0).normal(size=(8, 3, 6))
# Each word has its own frequency, which a prior of the spec takes away; then the groups differ on it.
FREQUENT = np.array([0.0, 3.0, -2.0, 1.0, 2.0, -3.0])
TARGET = -5 + FREQUENT + 0.3 * NOISE
PRIOR = np.broadcast_to(-5 + FREQUENT, TARGET.shape)


def recorded(target: Floats, prior: Floats, columns: tuple[str, str] = ("log_p_target", "log_p_prior")) -> pl.DataFrame:
    rows = [
        (template, group, word, target[t, g, a], prior[t, g, a])
        for t, template in enumerate(TEMPLATES)
        for g, group in enumerate(GROUPS)
        for a, word in enumerate(WORDS)
    ]
    found = pl.DataFrame(rows, schema=["template", "group", "attribute", *columns], orient="row")
    score = pl.col(columns[0]) - pl.col(columns[1])
    return found.with_columns(score=score, scorable=score.is_not_nan(), reason=pl.lit(None, pl.String))


def found_in(records: pl.DataFrame) -> dict[str, Floats]:
    scores = cube(MATERIALS, records)
    return {one.variant: one.scores for one in other_priors(MATERIALS, records, LogProbabilities(), scores)}


def test_the_score_without_a_prior_is_the_targets_log_probability_and_the_mean_is_over_groups() -> None:
    found = found_in(recorded(TARGET, PRIOR))
    assert list(found) == [NONE, MEAN]
    np.testing.assert_allclose(found[NONE], TARGET)
    np.testing.assert_allclose(found[MEAN], TARGET - np.log(np.exp(TARGET).mean(axis=1, keepdims=True)))


def test_an_item_that_cannot_be_scored_takes_no_part_in_the_mean() -> None:
    holed = np.where(np.arange(3)[:, None] == 2, np.nan, TARGET)
    found = found_in(recorded(holed, PRIOR))
    wanted = TARGET[:, :2] - np.log(np.exp(TARGET[:, :2]).mean(axis=1, keepdims=True))
    np.testing.assert_allclose(found[MEAN][:, :2], wanted)
    assert np.isnan(found[MEAN][:, 2]).all()


def test_a_prior_with_the_specs_own_scores_is_given_once() -> None:
    mean = np.log(np.exp(TARGET).mean(axis=1, keepdims=True))
    assert list(found_in(recorded(TARGET, np.broadcast_to(mean, TARGET.shape)))) == [NONE]


def test_where_the_group_is_scored_the_mean_is_over_attributes() -> None:
    """Its prior has no attribute, so it is the same for all of them, and another for each group."""
    prior = np.broadcast_to(np.array([-4.0, -6.0, -5.0])[:, None], TARGET.shape)
    assert group_is_scored(MATERIALS, prior).all()
    found = found_in(recorded(TARGET, prior))
    assert list(found) == [NONE, "prior: mean over attributes"]
    wanted = TARGET - np.log(np.exp(TARGET).mean(axis=2, keepdims=True))
    np.testing.assert_allclose(found["prior: mean over attributes"], wanted)


def test_the_slot_that_is_scored_is_found_template_by_template() -> None:
    prior = np.array(PRIOR)
    prior[3:] = np.array([-4.0, -6.0, -5.0])[:, None]
    assert group_is_scored(MATERIALS, prior).tolist() == [False] * 3 + [True] * 5
    assert list(found_in(recorded(TARGET, prior)))[1] == "prior: mean over groups and attributes"


def test_distances_have_a_mean_of_their_logarithms() -> None:
    distances = np.exp(-NOISE)
    records = recorded(distances, np.exp(-PRIOR), ("distance_target", "distance_prior"))
    none, mean = other_priors(MATERIALS, records, Distances(1.0, released=False), cube(MATERIALS, records))
    np.testing.assert_allclose(none.scores, NOISE)
    np.testing.assert_allclose(mean.scores, NOISE - NOISE.mean(axis=1, keepdims=True))
    released = Distances(1.0, released=True)
    np.testing.assert_allclose(released.associations(np.array([0.5])), np.log(0.5))


def summarised(
    target: Floats, prior: Floats, probe: str = "ilps", groups: tuple[str, ...] = GROUPS, **changes: Any
) -> list[Measure]:
    pairs = [WORDS[at : at + 2] for at in (0, 2, 4)]
    ends = [
        {"text": word, "pole": pole, "pair": " - ".join(pair), "dimension": "Agency"}
        for pair in pairs
        for pole, word in zip(("left", "right"), pair, strict=True)
    ]
    # People say of g1 and g2 what the frequencies of the words say, and of g0 the opposite.
    rated = {"g0": (20, 30, 90), "g1": (90, 80, 10), "g2": (80, 90, 20)}
    judged = [
        {"annotator": f"a{rater}", "group": group, "left": left, "right": right, "rating": rating}
        for rater in range(6)
        for group, ratings in rated.items()
        if group in groups
        for (left, right), rating in zip(pairs, ratings, strict=True)
    ]
    spec = parse(
        {
            "name": "test",
            "probe": probe,
            "model": "path:./model",
            "groups": {"inline": list(groups)},
            "attributes": {"inline": ends},
            "templates": {"inline": list(TEMPLATES)},
            "human": {"inline": judged},
            "params": {"resamples": 100, "permutations": 99},
            **({"prior": {"singular": "person", "plural": "people"}} if probe == "ilps" else {}),
            **changes,
        }
    )
    own = cast("AssociationSpec", spec)
    card = PROBES[probe].card
    records = recorded(target, prior).filter(pl.col("group").is_in(groups))
    return summarise(own, own.materials({}), records, card, own.judgements({}), LogProbabilities())


def of(found: list[Measure], statistic: str, **labels: str) -> dict[str, Measure]:
    """By variant."""
    wanted = {"group_a": "", "attribute": "", "category": ""} | labels
    own = [one for one in found if one.statistic == statistic]
    matching = [one for one in own if all(getattr(one, key) == label for key, label in wanted.items())]
    return {one.variant: one for one in matching if one.variant in ("", NONE, MEAN)}


def test_agreement_with_people_is_there_under_every_prior_with_its_verdict() -> None:
    """Without a prior the pair scores hold how frequent the words are, which is what most of these people say."""
    found = summarised(TARGET, PRIOR)
    taus, excess = (of(found, name, condition="model") for name in ("kendall_tau", "kendall_tau_excess"))
    assert set(taus) == set(excess) == {"", NONE, MEAN}
    assert taus[NONE].value != pytest.approx(taus[""].value, abs=0.1)
    assert {name: one.prior for name, one in taus.items()} == {
        "": "person, people",
        NONE: "none",
        MEAN: "mean over groups",
    }
    assert all(one.verdict for one in excess.values())


def test_scores_and_pair_scores_are_given_under_every_prior_and_differences_do_not_depend_on_it() -> None:
    found = summarised(TARGET, PRIOR)
    scores = of(found, "ilps", group_a="g1", attribute="warm")
    assert scores[NONE].value == pytest.approx(TARGET[:, 1, 1].mean())
    assert scores[NONE].ci_low is not None
    assert scores[NONE].p_value is None
    pair = of(found, "pair_score", group_a="g1", attribute="cold - warm", category="Agency")
    assert pair[NONE].value == pytest.approx((TARGET[:, 1, 1] - TARGET[:, 1, 0]).mean())
    frequency = FREQUENT[1] - FREQUENT[0]
    assert pair[""].value == pytest.approx((TARGET[:, 1, 1] - TARGET[:, 1, 0]).mean() - frequency)
    assert {one.variant for one in found if one.statistic.startswith("ilps_difference")} == {""}


def test_rankings_of_a_groups_words_are_held_against_each_other() -> None:
    found = summarised(-5 + FREQUENT + NOISE * 0.01, PRIOR)
    overall = of(found, RANK_AGREEMENT.name)
    groups = [of(found, RANK_AGREEMENT.name, group_a=group)[NONE].value for group in GROUPS]
    assert overall[NONE].value == pytest.approx(np.mean([one or 0.0 for one in groups]))
    assert overall[NONE].verdict == ""
    assert (overall[NONE].n, overall[NONE].n_units) == (18, 3)
    same = of(summarised(TARGET, np.zeros_like(TARGET)), RANK_AGREEMENT.name)
    assert NONE not in same  # a prior of 0 is none


def test_he_minus_she_depends_on_the_prior_where_the_target_is_scored() -> None:
    """The prior of he is not that of she: without it all words lean to the more frequent pronoun."""
    target = np.array(TARGET)
    target[:, 0] = target[:, 1] + 0.5
    prior = np.broadcast_to(np.array([-4.0, -5.0, -5.0])[:, None], TARGET.shape)
    found = summarised(target, prior, "log_probability", params={"contrasts": "pairs", "permutations": 99})
    means = of(found, LOG_PROBABILITY.difference, group_a="g0", group_b="g1")
    assert means[""].value == pytest.approx(-0.5)
    assert means[NONE].value == pytest.approx(0.5)
    assert means[NONE].verdict == "not testable"  # six words


def test_preference_is_there_under_every_prior() -> None:
    target = np.array(TARGET)
    target[:, 0] = target[:, 1] + 0.5
    prior = np.broadcast_to(np.array([-4.0, -5.0, -5.0])[:, None], TARGET.shape)
    found = summarised(target, prior, "log_probability", groups=GROUPS[:2])
    shares = of(found, "attribute_preference", group_a="g0")
    assert (shares[""].value, shares[NONE].value) == (0.0, 1.0)


def test_another_variant_of_the_method_follows_the_prior() -> None:
    found = summarised(TARGET, PRIOR, dtype="bfloat16")
    variants = {one.variant for one in found if one.statistic == "ilps"}
    assert variants == {"bfloat16", f"{NONE}, bfloat16", f"{MEAN}, bfloat16"}
