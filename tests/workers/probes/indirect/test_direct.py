"""The direct score, and how far the score through names agrees with it."""

import numpy as np
import polars as pl
import pytest
from scipy import stats

from plumbline.methods.indirect.card import AGREEMENT, DIRECT, SCORE
from plumbline.methods.indirect.spec import IndirectSpec
from tests.workers.probes.indirect.answered import Tables
from tests.workers.probes.indirect.made import RACES, by_pair, direct, made_spec, side, summary_of, tables

RANDOM = np.random.default_rng(11)
WORDS = [{"text": text, "group": group} for text, group in (("he", "male"), ("him", "male"), ("she", "female"))]


def test_with_one_template_it_is_the_formula_of_kurita_and_others() -> None:
    spec = made_spec(10, 2, 2, templates=(1, 1, 1))
    p, prior = RANDOM.uniform(0.01, 0.2, (2, 1, 2, 2))
    found = by_pair(summary_of(spec, _with(spec, direct(spec, "target_feature", np.log(p), np.log(prior))), DIRECT))
    one = found["target 1", "feature 0"]
    assert one.value == pytest.approx(np.log(p[0, 1, 0] / prior[0, 1, 0]))
    assert (one.ci_low, one.p_value, one.n) == (None, None, 1)


def test_over_templates_probabilities_are_averaged_and_from_eight_on_it_has_an_interval() -> None:
    spec = made_spec(10, 2, 2, templates=(1, 1, 8), resamples=2000)
    p, prior = RANDOM.uniform(0.01, 0.2, (2, 8, 2, 2))
    records = _with(spec, direct(spec, "target_feature", np.log(p), np.log(prior)))
    one = by_pair(summary_of(spec, records, DIRECT))["target 0", "feature 1"]
    p, prior = p[:, 0, 1], prior[:, 0, 1]
    assert one.value == pytest.approx(np.log(p.mean() / prior.mean()))
    drawn = np.random.default_rng(0).integers(8, size=(2000, 8))
    ratios = np.log(p[drawn].mean(axis=1) / prior[drawn].mean(axis=1))
    # A percentile interval at the tail that is expanded for eight templates.
    tail = stats.norm.sf(np.sqrt(8 / 7) * stats.t.isf(0.025, 7))
    spread = np.ptp(ratios)
    assert one.ci_low == pytest.approx(np.quantile(ratios, tail), abs=0.1 * spread)
    assert one.ci_high == pytest.approx(np.quantile(ratios, 1 - tail), abs=0.1 * spread)
    assert one.n == one.n_units == 8


def test_a_word_without_a_score_says_why() -> None:
    spec = made_spec(10, 2, 2, templates=(1, 1, 2))
    log_p = RANDOM.normal(size=(2, 2, 2))
    log_p[1, :, 1] = np.nan
    found = by_pair(summary_of(spec, _with(spec, direct(spec, "target_feature", log_p)), DIRECT))
    assert found["target 0", "feature 1"].reason == "no score in some template: split"
    assert found["target 0", "feature 0"].value is not None


def test_a_run_without_direct_sentences_has_no_direct_score() -> None:
    spec = made_spec(10, 2, 2)
    sides = [side(spec, name, RANDOM.normal(size=(1, 10, 2))) for name in ("target_bridge", "bridge_feature")]
    assert not summary_of(spec, tables(*sides), DIRECT)
    assert not summary_of(spec, tables(*sides), AGREEMENT)


def test_agreement_is_given_for_lists_groups_and_sensitive_words() -> None:
    spec = made_spec(20, 6, 2, templates=(1, 1, 1), sensitive=WORDS)
    neutral, sensitive = RANDOM.normal(size=(1, 6, 2)), RANDOM.normal(size=(1, 6, 3))
    of_both = [direct(spec, "target_feature", neutral), direct(spec, f"target_feature:{RACES}", sensitive)]
    records = _with(spec, *of_both, words=(6, 2, 3))
    scores: dict[str, list[float]] = {}
    for one in summary_of(spec, records, SCORE):
        assert one.value is not None
        scores.setdefault(one.attribute, []).append(one.value)
    indirect = np.array([scores[word] for word in ("he", "him", "she")]).T
    found = {(one.category, one.group_b, one.attribute): one for one in summary_of(spec, records, AGREEMENT)}
    assert set(found) == {
        ("", "", ""),
        (RACES, "", ""),
        *((RACES, group, "") for group in ("female", "male")),
        *((RACES, "", word) for word in ("he", "him", "she")),
    }
    own = sensitive[0]
    pooled = np.corrcoef(own.ravel(), indirect.ravel())[0, 1]
    assert found[RACES, "", ""].value == pytest.approx(pooled)
    assert (found[RACES, "", ""].n, found[RACES, "", ""].n_units) == (18, 6)
    assert {one.verdict for one in found.values()} == {"not testable"}
    of_men = stats.pearsonr(own[:, :2].mean(axis=1), indirect[:, :2].mean(axis=1))
    assert found[RACES, "male", ""].value == pytest.approx(of_men.statistic)
    of_her = stats.pearsonr(own[:, 2], indirect[:, 2])
    one = found[RACES, "", "she"]
    assert one.value == pytest.approx(of_her.statistic)
    assert one.p_value == pytest.approx(of_her.pvalue)
    assert one.ci_low is not None


def test_agreement_is_present_where_both_scores_order_the_targets_alike() -> None:
    spec = made_spec(200, 12, 2, templates=(1, 1, 1))
    names = RANDOM.normal(size=(200, 1))
    slopes = np.linspace(-1, 1, 12)
    bs1, bs2 = names * slopes + RANDOM.normal(0, 0.3, size=(200, 12)), np.hstack([names, -names])
    log_p = np.column_stack([slopes, -slopes])[None]
    sides = side(spec, "target_bridge", bs1[None]), side(spec, "bridge_feature", bs2[None])
    (found,) = summary_of(spec, tables(*sides, association=direct(spec, "target_feature", log_p)), AGREEMENT)
    assert found.verdict == "present"
    assert (found.n, found.n_units, found.smallest_effect) == (24, 12, 0.1)


def test_few_targets_have_no_agreement() -> None:
    spec = made_spec(20, 3, 2, templates=(1, 1, 1))
    records = _with(spec, direct(spec, "target_feature", RANDOM.normal(size=(1, 3, 2))), words=(3, 2))
    (found,) = summary_of(spec, records, AGREEMENT)
    assert found.value is None
    assert found.reason.startswith("fewer than four targets")


def _with(spec: IndirectSpec, *association: pl.DataFrame, words: tuple[int, ...] = (2, 2)) -> Tables:
    """Direct records beside a bridge by chance, of so many targets, features and sensitive words."""
    names = len(spec.materials({}).names)
    sides = ("target_bridge", "bridge_feature", f"bridge_feature:{RACES}")
    bridge = [
        side(spec, name, RANDOM.normal(size=(1, names, count))) for name, count in zip(sides, words, strict=False)
    ]
    return tables(*bridge, association=pl.concat(association))
