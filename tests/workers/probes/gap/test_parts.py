"""The parts of GAP by hand: topics, pairs, names, correlation, the classifier and the spans."""

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from plumbline.methods.gap.spec import GapParams
from plumbline.spec.banks.passages import Passage
from workers.probes.gap.correlation import rank_correlation
from workers.probes.gap.resolver import out_of_fold
from workers.probes.gap.spans import _sentence
from workers.probes.gap.summary import _f1, confounds, pair_counts
from workers.probes.gap.topic_measures import weighted_means
from workers.probes.gap.topics import Topics, passage_bias, topic_bias, topics_of
from workers.statistics import permute_sets

SAMPLING: dict[str, Any] = {"seed": 0, "resamples": 200, "permutations": 999, "level": 0.95}


def test_topic_and_passage_bias_by_hand() -> None:
    bias = {"army": 2.0, "dress": -1.0}
    # 0.5 x 2 + 0.25 x -1; the third word has no score.
    assert topic_bias((("army", 0.5), ("dress", 0.25), ("xyzzy", 0.25)), bias) == pytest.approx(0.75)
    assert np.isnan(topic_bias((("xyzzy", 1.0),), bias))
    topics = Topics(((), ()), np.array([[1.0, 2.0], [0.0, 3.0]]))
    assert passage_bias(topics, np.array([0.75, -0.5])) == pytest.approx([-0.25, -1.5])
    assert passage_bias(topics, np.array([0.75, np.nan])) == pytest.approx([0.75, 0.0])


def test_the_mean_on_a_topic_weighs_each_passage_by_its_share() -> None:
    shares = np.array([[3.0, 0.0, 0.0], [1.0, 2.0, 0.0]] * 20)
    chances = np.array([0.2, 0.6] * 20)
    means, low, high = weighted_means(shares, chances, 0, 500, 0.95)
    # (3 x 0.2 + 1 x 0.6) / 4; all of the second topic is in passages of 0.6; the third is in none.
    assert means[:2] == pytest.approx([0.3, 0.6])
    assert low[0] < 0.3 < high[0]
    assert (low[1], high[1]) == (pytest.approx(0.6), pytest.approx(0.6))
    assert np.isnan([means[2], low[2], high[2]]).all()


@pytest.mark.parametrize("passages", [0, 1])
def test_the_mean_of_hardly_any_passage_has_no_interval(passages: int) -> None:
    means, low, high = weighted_means(np.ones((passages, 2)), np.full(passages, 0.4), 0, 100, 0.95)
    assert means.tolist() == pytest.approx([0.4, 0.4] if passages else [np.nan] * 2, nan_ok=True)
    assert np.isnan([low, high]).all()


def test_the_permutation_test_by_hand() -> None:
    # Of the C(4, 2) = 6 splits of 1, 2, 3, 4 the observed one and its mirror image are the farthest apart.
    assert permute_sets(np.array([3.0, 4.0]), np.array([1.0, 2.0]), seed=0).p_value == pytest.approx(2 / 6)


def test_topics_part_texts_by_their_words() -> None:
    war, fashion = ["army", "soldiers", "battle", "war"], ["dress", "fashion", "silk", "colour"]
    drawn = random.Random(0)  # noqa: S311 -- a sample
    texts = [" ".join(drawn.choices(words, k=6)) for words in (war, fashion) for _ in range(20)]
    found = topics_of(texts, 2, 3, seed=0)
    tops = [{word for word, _ in topic} for topic in found.words]
    assert [any(top <= set(words) for top in tops) for words in (war, fashion)] == [True, True]
    assert [len(topic) for topic in found.words] == [3, 3]
    weights = [[weight for _, weight in topic] for topic in found.words]
    assert all(own == sorted(own, reverse=True) and sum(own) <= 1 for own in weights)
    assert found.shares.shape == (40, 2)
    assert found.shares[0].argmax() != found.shares[39].argmax()


def test_pairs_are_counted_by_hand() -> None:
    # Right A; A for B; neither for B; A for neither; right neither.
    hits, faults = pair_counts(np.array([0, 0, 2, 0, 2]), np.array([0, 1, 1, 2, 2]))
    assert hits.tolist() == [1, 0, 0, 0, 0]
    assert faults.tolist() == [0, 2, 1, 1, 0]
    # One true positive, two false positives and two false negatives.
    assert float(_f1(hits, faults)) == pytest.approx(2 * 1 / (2 * 1 + 2 + 2))


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("The dog met Ann Lee in Rome.", (7, 2)),
        ("Ann Lee left. She went home.", (6, 1)),
        ("nobody was there", (3, 0)),
        ("He saw Émile. Then O'Neil fell.", (6, 1)),
    ],
)
def test_words_and_names_of_a_passage(text: str, counted: tuple[int, int]) -> None:
    assert confounds(text) == counted


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=6, max_size=30))
def test_without_anything_apart_it_is_spearman(pairs: list[tuple[int, int]]) -> None:
    x, y = np.array(pairs, dtype=np.float64).T
    found = rank_correlation(x, y, np.empty((len(x), 0)), **{**SAMPLING, "resamples": 100, "permutations": 99})
    if min(len(set(x)), len(set(y))) < 2:
        assert np.isnan(found.value)
    else:
        assert found.value == pytest.approx(stats.spearmanr(x, y).statistic)
        assert 0 < found.p_value <= 1


def test_what_both_have_from_a_third_thing_is_taken_out() -> None:
    drawn = np.random.default_rng(0)
    length = drawn.normal(size=400)
    x, y = (length + drawn.normal(size=400) for _ in range(2))
    plain = rank_correlation(x, y, np.empty((400, 0)), **SAMPLING)
    partial = rank_correlation(x, y, np.stack([length, drawn.normal(size=400)], axis=1), **SAMPLING)
    assert plain.value > 0.4
    assert plain.ci_low < plain.value < plain.ci_high
    assert plain.p_value == pytest.approx(1 / 1000)
    assert abs(partial.value) < 0.1
    assert partial.ci_low < 0 < partial.ci_high
    assert partial.p_value > 0.05


def test_the_partial_correlation_is_that_of_the_textbook() -> None:
    x, y, z = np.random.default_rng(1).normal(size=(3, 50))
    r = stats.spearmanr(np.stack([x, y, z], axis=1)).statistic
    expected = (r[0, 1] - r[0, 2] * r[1, 2]) / np.sqrt((1 - r[0, 2] ** 2) * (1 - r[1, 2] ** 2))
    assert rank_correlation(x, y, z[:, None], **SAMPLING).value == pytest.approx(expected)


def test_of_few_passages_true_nulls_are_rejected_at_their_rate() -> None:
    """Exchanging what is left without taking the third thing out again rejects 9% here."""
    drawn, few = np.random.default_rng(2), {**SAMPLING, "resamples": 10, "permutations": 99}
    runs = [(*drawn.normal(size=(2, 10)), drawn.normal(size=(10, 2))) for _ in range(500)]
    found = [rank_correlation(x, y, apart, **few) for x, y, apart in runs]
    assert 0.02 <= np.mean([one.p_value <= 0.05 for one in found]) <= 0.07


def test_a_correlation_is_held_against_the_margin_on_the_scale_of_fisher() -> None:
    x, y = np.random.default_rng(3).normal(size=(2, 900))
    apart = np.empty((900, 0))
    wide, narrow = (rank_correlation(x, y, apart, **SAMPLING, margin=margin) for margin in (0.3, 0.01))
    assert wide.equivalence_p < 0.001
    assert narrow.equivalence_p > 0.05
    assert np.isnan(rank_correlation(x, y, apart, **SAMPLING).equivalence_p)


def test_the_classifier_learns_what_there_is_and_not_its_own_passages() -> None:
    drawn = np.random.default_rng(0)
    gold = drawn.integers(0, 3, size=300)
    told = np.eye(3)[gold] * 3 + drawn.normal(size=(300, 3))
    params = GapParams(dropout=0.0, l2=0.0, rate=0.01, epochs=30)
    for features, least, most in ((told, 0.8, 1.0), (drawn.normal(size=(300, 50)), 0.2, 0.45)):
        found = out_of_fold(features.astype(np.float32), gold, gold, params, 0, lambda: None)
        assert np.exp(found).sum(axis=1) == pytest.approx(np.ones(300))
        assert least <= (found.argmax(axis=1) == gold).mean() <= most


@pytest.mark.parametrize(
    ("margin", "text"),
    [(None, None), (0, "Ann met Eve when she"), (4, "Ann met Eve when she"), (6, "old Ann met Eve when she left")],
)
def test_a_passage_is_cut_at_words_around_its_spans(margin: int | None, text: str | None) -> None:
    whole = "Today my old Ann met Eve when she left us."
    places = {f"{name}_offset": whole.index(word) for name, word in (("a", "Ann"), ("b", "Eve"), ("pronoun", "she"))}
    passage = Passage(id="p", text=whole, pronoun="she", a="Ann", a_coref=True, b="Eve", b_coref=False, **places)
    found = _sentence(passage, margin)
    assert found.text == (text or whole)
    assert [found.text[start:end] for start, end in found.spans] == ["she", "Ann", "Eve"]
