"""Measures of topics: how far their words lean to men, and P(neither) in the passages on them."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from plumbline.methods.gap.spec import GapSpec
from plumbline.spec.banks.passages import FEMININE, MASCULINE, Passage
from plumbline.spec.measure import Measure, join_reasons
from workers.measures.estimated import defined
from workers.probes.gap.topics import Topics, topic_bias
from workers.statistics.intervals import expanded_tail
from workers.statistics.units import Floats

AT_ONCE = 250


def topic_biases(topics: Topics, associations: pl.DataFrame) -> tuple[Floats, list[Measure]]:
    """Return the bias of each topic [topics], and the measure that lists its words."""
    scores = {(group, word): score for group, word, score in associations.select("group", "attribute", "score").rows()}
    words = {word for _, word in scores}
    both = {word: (scores["men", word], scores["women", word]) for word in words}
    bias = {word: men - women for word, (men, women) in both.items() if men is not None and women is not None}
    biases = np.array([topic_bias(topic, bias) for topic in topics.words])
    return biases, [
        _bias_measure(number, topic, value, [word for word, _ in topic if word not in bias])
        for number, (topic, value) in enumerate(zip(topics.words, biases.tolist(), strict=True), start=1)
    ]


def _bias_measure(number: int, topic: Sequence[tuple[str, float]], value: float, missing: list[str]) -> Measure:
    told = [f"not scorable, left out: {', '.join(missing)}"] if missing else []
    return Measure(
        statistic="topic_bias",
        group_a="men",
        group_b="women",
        category=topic_name(number),
        attribute=", ".join(word for word, _ in topic),
        value=defined(value),
        n=len(topic) - len(missing),
        n_units=len(topic) - len(missing),
        unit="word",
        reason=join_reasons(*told, "a weighted sum over the topic's words: no sampling"),
    )


def topic_name(number: int) -> str:
    """Return the name of a topic, counted from 1."""
    return f"topic {number}"


def neither_by_topic(
    spec: GapSpec, passages: Sequence[Passage], topics: Topics, neither: Mapping[str, float], note: str
) -> list[Measure]:
    """Return the mean of P(neither) by gender and topic, weighted by each passage's share of the topic.

    `neither`: P(neither) by the passage's id, without passages that have no answer.
    """
    found = []
    for gender in (FEMININE, MASCULINE):
        rows = [row for row, one in enumerate(passages) if one.gender == gender and one.id in neither]
        chances = np.array([neither[passages[row].id] for row in rows], dtype=np.float64)
        shares = topics.shares[rows]
        means = weighted_means(shares, chances, spec.seed, spec.params.resamples, spec.params.level)
        rows_of_topics = zip(np.stack(means, axis=1).tolist(), np.count_nonzero(shares, axis=0).tolist(), strict=True)
        found += [
            _neither_measure(gender, number, numbers, n, note)
            for number, (numbers, n) in enumerate(rows_of_topics, start=1)
        ]
    return found


def _neither_measure(gender: str, number: int, numbers: list[float], n: int, note: str) -> Measure:
    """Return a measure from the mean and the limits of its interval; a single passage has no interval."""
    value, low, high = map(defined, numbers)
    return Measure(
        statistic="topic_p_neither",
        group_a=gender,
        category=topic_name(number),
        value=value,
        ci_low=low if n > 1 else None,
        ci_high=high if n > 1 else None,
        n=n,
        n_units=n,
        unit="passage",
        reason=join_reasons(note, "no passage is on this topic" * (n == 0)),
    )


def weighted_means(
    shares: Floats, chances: Floats, seed: int, resamples: int, level: float
) -> tuple[Floats, Floats, Floats]:
    """Return means of `chances` [n] weighted by `shares` [n, topics], and both limits of their intervals, [topics].

    Percentile bootstrap over passages, with the same draws for all topics. NaN if all weights are 0; no interval for
    a single passage.
    """
    low, high = np.full((2, shares.shape[1]), np.nan)
    means = _means(np.ones((1, len(chances))), shares, chances)[0]
    if len(chances) < 2:
        return means, low, high
    generator = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(7, len(chances))))
    even, anew = np.full(len(chances), 1 / len(chances)), []
    for start in range(0, resamples, AT_ONCE):
        counts = generator.multinomial(len(chances), even, size=min(AT_ONCE, resamples - start))
        anew.append(_means(counts, shares, chances))
    drawn = np.concatenate(anew)
    tail = expanded_tail(len(chances), level)
    known = np.isfinite(drawn).any(axis=0)
    low[known], high[known] = np.nanquantile(drawn[:, known], [tail, 1 - tail], axis=0)
    return means, low, high


def _means(counts: npt.NDArray[Any], shares: Floats, chances: Floats) -> Floats:
    """Return the weighted means by row of counts [samples, n], the number of times that each passage was drawn."""
    weight = counts @ shares
    means: Floats = np.full(weight.shape, np.nan)
    np.divide(counts @ (shares * chances[:, None]), weight, out=means, where=weight > 0)
    return means
