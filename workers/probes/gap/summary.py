"""Measures of a GAP run: P(neither) by gender, quality of the classifier, topics, and their correlation."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from plumbline.methods.association.log_probability import CARD as LOG_PROBABILITY
from plumbline.methods.association.log_probability import LogProbabilitySpec
from plumbline.methods.gap.spec import SAW_PASSAGES, SEEN, GapSpec
from plumbline.spec.banks.passages import FEMININE, MASCULINE, NEITHER, Passage
from plumbline.spec.measure import Measure, join_reasons, join_variants
from workers.measures.estimated import defined
from workers.measures.families import family_by
from workers.measures.judging import judged, smallest_effect
from workers.probes.cell_scores.contrasts import contrasts, cube
from workers.probes.cell_scores.summary import score_measures
from workers.probes.gap.correlation import Correlation, rank_correlation
from workers.probes.gap.topic_measures import neither_by_topic, topic_biases
from workers.probes.gap.topics import Topics, passage_bias
from workers.statistics import permute_sets
from workers.statistics.intervals import t_interval
from workers.statistics.rates.rate_intervals import rate_interval
from workers.statistics.two_means import difference_of_means
from workers.statistics.units import Blocks, Floats, blocks

OF_WORDS = ("increased_log_probability", "log_probability_bias", "scorable_share")
CHANCE, PARTIAL = "chance", "partial"
CORRELATION = "topic_bias_correlation"
NO_ANSWER = "no passage has an answer"
FEWEST_OF_A_MEAN = 50
TOO_SKEWED = f"fewer than {FEWEST_OF_A_MEAN} passages: an interval would be too narrow"
_CAPITALISED = re.compile(r"(?:\b[^\W\d_a-z][\w’'-]*\.?[ ]?)+")
_ENDED = re.compile(r"(?:^|[.!?][\"')\]]*\s)$")


@dataclass(frozen=True, slots=True)
class Answered:
    """The classifier's probabilities by passage, [n, 3], and the right answers, [n]."""

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
        """P(neither) minus whether neither is right; its mean is the excess of P(neither) over the base rate."""
        return np.asarray(self.neither - (self.gold == NEITHER))


def summarise(
    spec: GapSpec,
    passages: Sequence[Passage],
    topics: Topics,
    words: LogProbabilitySpec,
    choices: pl.DataFrame,
    associations: pl.DataFrame,
) -> list[Measure]:
    """Return all measures, from the records of passages (choice) and of the topics' words (association)."""
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
        *(replace(one, variant=join_variants(one.variant, spec.variant)) for one in told),
        *(replace(one, variant=spec.variant) for one in _of_words(words, associations)),
    ]


def _of_words(spec: LogProbabilitySpec, records: pl.DataFrame) -> list[Measure]:
    """Return the log probability bias of topics' words, as a separate run would report it."""
    materials = spec.materials({})
    scores = cube(materials, records)
    found = list(contrasts(materials, scores, spec.params.contrasts))
    measures = score_measures(spec, materials, records, scores, found, LOG_PROBABILITY)
    return [one for one in measures if one.statistic in OF_WORDS]


def _note(spec: GapSpec, choices: pl.DataFrame) -> str:
    cut, missing = int((choices["condition"] == "cut").sum()), int(choices["logits"].is_null().sum())
    told = [f"{cut} passages were cut to the model's length" * bool(cut), f"{missing} have no answer" * bool(missing)]
    return join_reasons(SEEN if spec.model in SAW_PASSAGES else "", *told)


def _answered(choices: pl.DataFrame) -> Answered:
    known = _known(choices)
    logs = [json.loads(text) for text in known["logits"].to_list()]
    return Answered(np.exp(np.array(logs, dtype=np.float64).reshape(-1, 3)), known["gold"].to_numpy().astype(np.int64))


def _known(choices: pl.DataFrame) -> pl.DataFrame:
    return choices.filter(pl.col("logits").is_not_null())


def _neither(spec: GapSpec, answers: dict[str, Answered], note: str) -> list[Measure]:
    """Return P(neither) by gender with base rates, the excess over them, and the differences (Table 4)."""
    found, level = [], spec.params.level
    for gender, one in answers.items():
        found.append(_mean(level, one.neither, statistic="p_neither", group_a=gender, reason=note))
        found.append(_rate(spec, (one.gold == NEITHER) * 1.0, statistic="neither_rate", group_a=gender))
        found.append(_mean(level, one.beyond_base, statistic="p_neither_excess", group_a=gender, reason=note))
    feminine, masculine = answers[FEMININE], answers[MASCULINE]
    excess = _difference(spec, feminine.beyond_base, masculine.beyond_base, "p_neither_excess_difference", note)
    return [*found, _difference(spec, feminine.neither, masculine.neither, "p_neither_difference", note), excess]


def _difference(spec: GapSpec, x: Floats, y: Floats, statistic: str, note: str) -> Measure:
    """Return feminine minus masculine, with a test that permutes passages between the genders."""
    labels: dict[str, Any] = {"statistic": statistic, "group_a": FEMININE, "group_b": MASCULINE}
    if not len(x) or not len(y):
        return _undefined(NO_ANSWER, **labels)
    one = difference_of_means(x[None], y[None], margin=smallest_effect(spec, statistic), level=spec.params.level)
    numbers: dict[str, Any] = {
        **{name: defined(getattr(one, name)[0]) for name in ("value", "ci_low", "ci_high", "equivalence_p")},
        "p_value": permute_sets(x, y, seed=spec.seed, draws=spec.params.permutations).p_value,
    }
    n = len(x) + len(y)
    return Measure(**labels, **numbers, unit="passage", n=n, n_units=n, reason=note)


def _undefined(reason: str, **labels: Any) -> Measure:
    return Measure(value=None, unit="passage", n=0, n_units=0, **{**labels, "reason": reason})


def _mean(level: float, values: Floats, **labels: Any) -> Measure:
    """Return the mean over passages, without an interval if so few name neither that its error is not known."""
    if not len(values):
        return _undefined(NO_ANSWER, **labels)
    n, few = len(values), len(values) < FEWEST_OF_A_MEAN
    low, high = (None, None) if few else (defined(float(end[0])) for end in t_interval(blocks(values[None]), level))
    told = {**labels, "reason": "; ".join(filter(None, [TOO_SKEWED * few, labels.get("reason", "")]))}
    return Measure(value=float(values.mean()), ci_low=low, ci_high=high, unit="passage", n=n, n_units=n, **told)


def _rate(spec: GapSpec, events: Floats, **labels: Any) -> Measure:
    """Return the share of passages with an event (0 or 1 each), with its interval."""
    if not len(events):
        return _undefined(NO_ANSWER, **labels)
    low, high = _rate_interval(spec, events, np.ones_like(events))
    n = len(events)
    return Measure(value=float(events.mean()), ci_low=low, ci_high=high, unit="passage", n=n, n_units=n, **labels)


def _rate_interval(spec: GapSpec, sums: Floats, counts: Floats) -> tuple[float | None, float | None]:
    """Return the interval of sums over counts, over passages."""
    params = spec.params
    low, high = rate_interval(
        Blocks(sums[None, :], counts[None, :]), seed=spec.seed, resamples=params.resamples, level=params.level
    )
    return defined(float(low[0])), defined(float(high[0]))


def _quality(spec: GapSpec, answers: dict[str, Answered], note: str) -> list[Measure]:
    """Return accuracy and F1, overall and by gender; the condition chance is always the commonest answer."""
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
    """Return by passage the true positives, and the false positives and negatives, among its two pairs."""
    hits = ((chosen == gold) & (gold != NEITHER)) * 1.0
    faults = (chosen != gold) * ((chosen != NEITHER) * 1.0 + (gold != NEITHER) * 1.0)
    return hits, faults


def _f1(hits: Floats, faults: Floats, axis: int = -1) -> Floats:
    """Return F1 = 2 TP / (2 TP + FP + FN); NaN without any."""
    true = 2 * hits.sum(axis=axis)
    whole = np.asarray(true + faults.sum(axis=axis))
    return np.asarray(np.divide(true, whole, out=np.full(whole.shape, np.nan), where=whole > 0))


def _correlations(
    spec: GapSpec, passages: Sequence[Passage], biases: Floats, chances: Mapping[str, float], note: str
) -> list[Measure]:
    """Return the correlations over feminine pronouns (the paper's), and over masculine ones for comparison."""
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
    margin = smallest_effect(spec, CORRELATION)
    found = rank_correlation(
        x, y, apart, seed=spec.seed, resamples=resamples, permutations=draws, level=params.level, margin=margin
    )
    return None if np.isnan(found.value) else found


def _correlation_measure(one: Correlation | None, gender: str, variant: str, n: int, note: str) -> Measure:
    labels: dict[str, Any] = {"statistic": CORRELATION, "group_a": gender, "variant": variant}
    if one is None:
        return _undefined("fewer than five passages, or all of them alike", **labels)
    names = ("value", "ci_low", "ci_high", "p_value", "equivalence_p")
    numbers: dict[str, Any] = {name: defined(getattr(one, name)) for name in names}
    return Measure(**labels, **numbers, unit="passage", n=n, n_units=n, reason=note)


def confounds(text: str) -> tuple[int, int]:
    """Return the number of words of a passage, and of names in it.

    Names are runs of capitalised words, except a single one at the start of a sentence.
    """
    runs = list(_CAPITALISED.finditer(text))
    names = [run for run in runs if len(run.group().split()) > 1 or not _ENDED.search(text[: run.start()])]
    return len(text.split()), len(names)
