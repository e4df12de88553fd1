"""How the figures of two GAP runs differ, paired by passage.

The right answers of a passage are those of the bank in both runs, so base rates cancel: the excess of P(neither)
changes by as much as P(neither) itself.
"""

import json
from collections.abc import Iterator

import numpy as np
import polars as pl

from plumbline.methods.gap.spec import SUMMARY_PARAMS, GapSpec
from plumbline.spec.banks.passages import FEMININE, MASCULINE, NEITHER
from plumbline.spec.measure import Measure
from plumbline.spec.verdicts import Scale
from workers.measures.changes import FEWEST_SKEWED, change_measure, judged_changes
from workers.probes.protocol import Audited, Changes
from workers.statistics.jackknife import Jackknifed, jackknifed
from workers.statistics.rate_changes import UnitSums, rate_change
from workers.statistics.ratio_of_sums import ratios_without
from workers.statistics.units import Floats

DIFFERENCES = ("p_neither_difference", "p_neither_excess_difference")
ACCURACY = "accuracy"
FEWEST_OF_A_GENDER = 30
"""The fewest passages of each gender for a verdict on such a change. Source: bench/simulations/changes.py."""
FEW = f"a verdict needs {FEWEST_OF_A_GENDER} passages of each gender"
SCALES = dict.fromkeys((*DIFFERENCES, ACCURACY), Scale.RATE)
NOT_LEARNING = {*SUMMARY_PARAMS, "topics", "words"}
OF_A_PASSAGE = ("item", "group", "gold")


def compare(first: Audited[GapSpec], second: Audited[GapSpec]) -> Changes:
    """Count the passages that both runs have. Single passages are too noisy for a test of each."""
    records = [run.read("choice") for run in (first, second)]
    shared, both = records[0].join(records[1], on=OF_A_PASSAGE).height, _both(*records)
    return Changes([], records[0].height - shared, records[1].height - shared, shared - both.height, both.height)


def measure_changes(first: Audited[GapSpec], second: Audited[GapSpec]) -> list[Measure]:
    """Return the changes of the differences of P(neither) and of accuracy, over what both runs answered.

    None where the classifiers learned from other passages or by other params: more than the model has changed then.
    """
    if _classifier(first) != _classifier(second):
        return []
    both = _both(first.read("choice"), second.read("choice"))
    return judged_changes(second.spec, [*_differences(second.spec, both), *_accuracies(second.spec, both)], SCALES)


def _classifier(run: Audited[GapSpec]) -> tuple[object, ...]:
    """Return what decides how a classifier learns, besides the model."""
    spec = run.spec
    return spec.passages(run.snapshots), spec.seed, spec.params.model_dump(exclude=NOT_LEARNING)


def _both(first: pl.DataFrame, second: pl.DataFrame) -> pl.DataFrame:
    """Return what both runs answered: the earlier `logits` and the later `logits_after`."""
    joined = first.join(second, on=OF_A_PASSAGE, suffix="_after", maintain_order="left")
    return joined.drop_nulls(["logits", "logits_after"])


def _differences(spec: GapSpec, both: pl.DataFrame) -> Iterator[Measure]:
    """Yield the change of feminine minus masculine P(neither), with passages of a gender as a stratum."""
    changed = _neither(both["logits_after"]) - _neither(both["logits"])
    feminine, masculine = (changed[(both["group"] == gender).to_numpy()] for gender in (FEMININE, MASCULINE))
    if min(len(feminine), len(masculine)) < 2:
        return
    found = change_of_difference(feminine, masculine, margin=spec.margin(Scale.RATE), level=spec.params.level)
    enough = min(len(feminine), len(masculine)) >= FEWEST_OF_A_GENDER
    for name in DIFFERENCES:
        yield change_measure(
            name,
            found,
            fewest=0 if enough else len(changed) + 1,
            few=FEW,
            unit="passage",
            n=len(changed),
            group_a=FEMININE,
            group_b=MASCULINE,
        )


def change_of_difference(one: Floats, other: Floats, *, margin: float, level: float = 0.95) -> Jackknifed:
    """Return how the difference of two genders changed between two runs, from the changes of their passages.

    `one` and `other`: float64 [passages of the gender], at least two each. Passages of a gender are a stratum.
    Student's t has the degrees of freedom of the smaller one.
    """
    without = (_means_without(one) - other.mean(), one.mean() - _means_without(other))
    degrees = min(len(one), len(other)) - 1
    return jackknifed(float(one.mean() - other.mean()), without, margin=margin, level=level, degrees=degrees)


def _means_without(values: Floats) -> Floats:
    return ratios_without(values, np.ones(len(values)))


def _neither(logits: pl.Series) -> Floats:
    return np.exp(np.array([json.loads(text)[NEITHER] for text in logits], dtype=np.float64))


def _accuracies(spec: GapSpec, both: pl.DataFrame) -> Iterator[Measure]:
    """Yield the change of the accuracy over all passages, and of each gender."""
    for gender in ("", FEMININE, MASCULINE):
        rows = both.filter(group=gender) if gender else both
        if not rows.height:
            continue
        sizes = np.ones(rows.height)
        before, after = (UnitSums(_right(rows, name), sizes) for name in ("chosen", "chosen_after"))
        found = rate_change(before, after, margin=spec.margin(Scale.RATE), level=spec.params.level)
        yield change_measure(ACCURACY, found, fewest=FEWEST_SKEWED, unit="passage", n=rows.height, group_a=gender)


def _right(rows: pl.DataFrame, chosen: str) -> Floats:
    return np.asarray((rows[chosen] == rows["gold"]).to_numpy(), dtype=np.float64)
