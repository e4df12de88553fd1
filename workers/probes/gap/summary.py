"""Measures of a GAP run: P(neither) by gender, how good the classifier is, topics and what they have to do with it."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl
from scipy import stats

from plumbline.methods.association.log_probability import CARD as LOG_PROBABILITY
from plumbline.methods.association.log_probability import LogProbabilitySpec
from plumbline.methods.gap.spec import GapSpec
from plumbline.spec.measure import Measure
from plumbline.spec.passages import FEMININE, MASCULINE, NEITHER, Passage
from workers.measures.estimated import defined
from workers.measures.families import family_by
from workers.measures.judging import judged
from workers.probes.cell_scores.contrasts import contrasts, cube
from workers.probes.cell_scores.summary import score_measures
from workers.probes.gap.correlation import Correlation, rank_correlation
from workers.probes.gap.topic_measures import neither_by_topic, topic_biases
from workers.probes.gap.topics import Topics, passage_bias
from workers.statistics import permute_sets
from workers.statistics.rates.rate_intervals import rate_interval
from workers.statistics.units import Blocks, Floats

SEEN = {"bundled:masked-demo": "this model saw passages of GAP in training: never report it on them"}
OF_WORDS = ("increased_log_probability", "log_probability_bias", "scorable_share")
CHANCE, PARTIAL = "chance", "partial"
NO_ANSWER = "no passage has an answer"
_CAPITALISED = re.compile(r"(?:\b[^\W\d_a-z][\w’'-]*\.?[ ]?)+")
_ENDED = re.compile(r"(?:^|[.!?][\"')\]]*\s)$")


@dataclass(frozen=True, slots=True)
class Answered:
    """What the classifier said of each passage: chances [n, 3], and what is right [n]."""

    chances: Floats
    gold: npt.NDArray[np.int64]

    @property
    def chosen(self) -> npt.NDArray[np.int64]:
        return np.asarray(self.chances.argmax(axis=1))

    @property
    def neither(self) -> Floats:
        return self.chances[:, NEITHER]

    @property
    def beyond_base(self) -> Floats:
        """P(neither) minus whether it is so; its mean is by how much P(neither) exceeds the base rate."""
        return np.asarray(self.neither - (self.gold == NEITHER))


def summarise(
    spec: GapSpec,
    passages: Sequence[Passage],
    topics: Topics,
    words: LogProbabilitySpec,
    choices: pl.DataFrame,
    associations: pl.DataFrame,
) -> list[Measure]:
    """All measures, from the records of passages (choice) and of the topics' words (association)."""
    note = _note(spec, choices)
    answers = {gender: _answered(choices.filter(pl.col("group") == gender)) for gender in (FEMININE, MASCULINE)}
    biases, of_topics = topic_biases(topics, associations)
    chances = {
        name: np.exp(json.loads(told)[NEITHER]) for name, told in _known(choices).select("item", "logits").rows()
    }
    found = [
        *_neither(spec, answers, note),
        *_quality(spec, answers, note),
        *of_topics,
        *neither_by_topic(spec, passages, topics, chances, note),
        *_correlations(spec, passages, passage_bias(topics, biases), chances, note),
    ]
    told = judged(spec, found, family_by(spec.families))
    return [
        *(replace(one, variant=_joined(one.variant, spec.variant)) for one in told),
        *(replace(one, variant=spec.variant) for one in _of_words(words, associations)),
    ]


def _of_words(spec: LogProbabilitySpec, records: pl.DataFrame) -> list[Measure]:
    """The log probability bias of the words of topics, as a run of its own would report it."""
    materials = spec.materials({})
    scores = cube(materials, records)
    found = list(contrasts(materials, scores, spec.params.contrasts))
    measures = score_measures(spec, materials, records, scores, found, LOG_PROBABILITY)
    return [one for one in measures if one.statistic in OF_WORDS]


def _joined(*variants: str) -> str:
    return ", ".join(filter(None, variants))


def _note(spec: GapSpec, choices: pl.DataFrame) -> str:
    cut, missing = int((choices["condition"] == "cut").sum()), int(choices["logits"].is_null().sum())
    told = [f"{cut} passages were cut to the model's length" * bool(cut), f"{missing} have no answer" * bool(missing)]
    return "; ".join(filter(None, [SEEN.get(spec.model, ""), *told]))


def _answered(choices: pl.DataFrame) -> Answered:
    known = _known(choices)
    logs = [json.loads(text) for text in known["logits"].to_list()]
    return Answered(np.exp(np.array(logs, dtype=np.float64).reshape(-1, 3)), known["gold"].to_numpy().astype(np.int64))


def _known(choices: pl.DataFrame) -> pl.DataFrame:
    return choices.filter(pl.col("logits").is_not_null())


def _neither(spec: GapSpec, answers: dict[str, Answered], note: str) -> list[Measure]:
    """Table 4: P(neither) by gender, the base rates beside it, what it exceeds them by, and the differences."""
    found = []
    for gender, one in answers.items():
        found.append(_mean(spec, one.neither, statistic="p_neither", group_a=gender, reason=note))
        found.append(_rate(spec, (one.gold == NEITHER) * 1.0, statistic="neither_rate", group_a=gender))
        found.append(_mean(spec, one.beyond_base, statistic="p_neither_excess", group_a=gender, reason=note))
    feminine, masculine = answers[FEMININE], answers[MASCULINE]
    excess = _difference(spec, feminine.beyond_base, masculine.beyond_base, "p_neither_excess_difference", note)
    return [*found, _difference(spec, feminine.neither, masculine.neither, "p_neither_difference", note), excess]


def _difference(spec: GapSpec, x: Floats, y: Floats, statistic: str, note: str) -> Measure:
    """Feminine minus masculine, with its permutation test: passages are exchanged between the genders."""
    labels: dict[str, Any] = {"statistic": statistic, "group_a": FEMININE, "group_b": MASCULINE}
    if not len(x) or not len(y):
        return _undefined(NO_ANSWER, **labels)
    low, high = _interval(spec, (x, y), lambda a, b, axis=-1: a.mean(axis=axis) - b.mean(axis=axis))
    p = permute_sets(x, y, seed=spec.seed, draws=spec.params.permutations).p_value
    n = len(x) + len(y)
    numbers: dict[str, Any] = {"value": float(x.mean() - y.mean()), "ci_low": low, "ci_high": high, "p_value": p}
    return Measure(**labels, **numbers, unit="passage", n=n, n_units=n, reason=note)


def _undefined(reason: str, **labels: Any) -> Measure:
    return Measure(value=None, unit="passage", n=0, n_units=0, **{**labels, "reason": reason})


def _mean(spec: GapSpec, values: Floats, **labels: Any) -> Measure:
    if not len(values):
        return _undefined(NO_ANSWER, **labels)
    low, high = _interval(spec, (values,), np.mean)
    n = len(values)
    return Measure(value=float(values.mean()), ci_low=low, ci_high=high, unit="passage", n=n, n_units=n, **labels)


def _interval(
    spec: GapSpec, samples: tuple[Floats, ...], statistic: Callable[..., Any]
) -> tuple[float | None, float | None]:
    """Percentile interval over passages drawn with replacement; none for a single passage, or where all are alike."""
    if min(map(len, samples)) < 2 or not any(map(np.ptp, samples)):
        return None, None
    found = stats.bootstrap(
        samples,
        statistic,
        n_resamples=spec.params.resamples,
        batch=100,
        vectorized=True,
        confidence_level=spec.params.level,
        method="percentile",
        rng=np.random.default_rng(np.random.SeedSequence(spec.seed, spawn_key=(6, len(samples[0])))),
    ).confidence_interval
    return defined(float(found.low)), defined(float(found.high))


def _rate(spec: GapSpec, events: Floats, **labels: Any) -> Measure:
    """The share of passages with an event, 0 or 1 each."""
    if not len(events):
        return _undefined(NO_ANSWER, **labels)
    low, high = _rate_interval(spec, events, np.ones_like(events))
    n = len(events)
    return Measure(value=float(events.mean()), ci_low=low, ci_high=high, unit="passage", n=n, n_units=n, **labels)


def _rate_interval(spec: GapSpec, sums: Floats, counts: Floats) -> tuple[float | None, float | None]:
    """Of sums by counts, over passages."""
    params = spec.params
    low, high = rate_interval(
        Blocks(sums[None, :], counts[None, :]), seed=spec.seed, resamples=params.resamples, level=params.level
    )
    return defined(float(low[0])), defined(float(high[0]))


def _quality(spec: GapSpec, answers: dict[str, Answered], note: str) -> list[Measure]:
    """Accuracy and F1, overall and by gender; the condition chance always gives the commonest answer."""
    both = Answered(*(np.concatenate([getattr(one, name) for one in answers.values()]) for name in ("chances", "gold")))
    found = []
    for gender, one in {"": both, **answers}.items():
        right = (one.chosen == one.gold) * 1.0
        found.append(_rate(spec, right, statistic="accuracy", group_a=gender, reason=note))
        if len(one.gold):
            commonest = (one.gold == np.bincount(both.gold).argmax()) * 1.0
            found.append(_rate(spec, commonest, statistic="accuracy", group_a=gender, condition=CHANCE))
        found.append(_f1_measure(spec, one, gender, note))
    return found


def _f1_measure(spec: GapSpec, one: Answered, gender: str, note: str) -> Measure:
    hits, faults = pair_counts(one.chosen, one.gold)
    n = len(one.gold)
    labels: dict[str, Any] = {"statistic": "f1", "group_a": gender}
    if not hits.sum() + faults.sum():
        return _undefined("no name is given or right in any passage", **labels)
    low, high = _rate_interval(spec, 2 * hits, 2 * hits + faults)
    return Measure(
        value=float(_f1(hits, faults)), ci_low=low, ci_high=high, unit="passage", n=n, n_units=n, reason=note, **labels
    )


def pair_counts(chosen: npt.NDArray[np.int64], gold: npt.NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Of each passage the true positives, and the false positives and negatives, among its two pairs."""
    hits = ((chosen == gold) & (gold != NEITHER)) * 1.0
    faults = (chosen != gold) * ((chosen != NEITHER) * 1.0 + (gold != NEITHER) * 1.0)
    return hits, faults


def _f1(hits: Floats, faults: Floats, axis: int = -1) -> Floats:
    """2 TP / (2 TP + FP + FN)."""
    true = 2 * hits.sum(axis=axis)
    whole = np.asarray(true + faults.sum(axis=axis))
    return np.asarray(np.divide(true, whole, out=np.full(whole.shape, np.nan), where=whole > 0))


def _correlations(
    spec: GapSpec, passages: Sequence[Passage], biases: Floats, chances: Mapping[str, float], note: str
) -> list[Measure]:
    """Over feminine pronouns, the paper's; over masculine ones beside it, to see whether it is theirs too."""
    found = []
    for gender in (FEMININE, MASCULINE):
        rows = [row for row, one in enumerate(passages) if one.gender == gender and one.id in chances]
        y = np.array([chances[passages[row].id] for row in rows], dtype=np.float64)
        beside = np.array([confounds(passages[row].text) for row in rows], dtype=np.float64).reshape(-1, 2)
        for variant, apart in (("", beside[:, :0]), (PARTIAL, beside)):
            one = _correlated(spec, biases[rows], y, apart)
            found.append(_correlation_measure(one, gender, variant, len(rows), note))
    return found


def _correlated(spec: GapSpec, x: Floats, y: Floats, apart: Floats) -> Correlation | None:
    params = spec.params
    if len(x) < 5:
        return None
    draws, resamples = params.permutations, params.resamples
    found = rank_correlation(x, y, apart, seed=spec.seed, resamples=resamples, permutations=draws, level=params.level)
    return None if np.isnan(found.value) else found


def _correlation_measure(one: Correlation | None, gender: str, variant: str, n: int, note: str) -> Measure:
    labels: dict[str, Any] = {"statistic": "topic_bias_correlation", "group_a": gender, "variant": variant}
    if one is None:
        return _undefined("fewer than five passages, or all of them alike", **labels)
    numbers = {name: getattr(one, name) for name in ("value", "ci_low", "ci_high", "p_value")}
    return Measure(**labels, **numbers, unit="passage", n=n, n_units=n, reason=note)


def confounds(text: str) -> tuple[int, int]:
    """Words of a passage, and names in it: runs of capitalised words but for a single one that opens a sentence."""
    runs = list(_CAPITALISED.finditer(text))
    names = [run for run in runs if len(run.group().split()) > 1 or not _ENDED.search(text[: run.start()])]
    return len(text.split()), len(names)
