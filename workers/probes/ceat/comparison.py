"""How CEAT's effect sizes change from one run to another: paired by draw for two sets, not paired for groups.

The records of groups keep one effect size over all sentences and no single sentence. The variances of both runs then
add up. As both runs read the same sentences, the interval is rather too wide.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
from scipy import stats

from plumbline.methods.ceat.spec import FEWEST_TESTED, CeatSpec
from plumbline.spec.measure import Measure, join_reasons
from plumbline.spec.rewording import reworded
from plumbline.spec.verdicts import Scale
from workers.measures.changes import change_measure, judged_changes
from workers.probes.ceat.summary import TOO_FEW
from workers.probes.protocol import Audited
from workers.statistics import combine
from workers.statistics.jackknife import Jackknifed, jackknifed
from workers.statistics.ratio_of_sums import ratios_without
from workers.statistics.units import Floats

GROUP, SETS = "ceat", "combined_effect_size"
SCALES = {GROUP: Scale.STANDARDISED, SETS: Scale.STANDARDISED}
KEY = ("group", "attribute", "draw")
NOT_PAIRED = "not paired: the records keep no single sentence, so the interval is rather too wide"
REPEATED = "draws repeat sentences: no interval and no test"


def measure_changes(first: Audited[CeatSpec], second: Audited[CeatSpec]) -> list[Measure]:
    """Return the change of each group's CEAT on each pair, or of the combined effect size of two sets.

    None where the runs draw other sentences, and none of a group that they name in other words.
    """
    if _draws(first) != _draws(second):
        return []
    both = first.read("effect").join(second.read("effect"), on=KEY, suffix="_after", maintain_order="left")
    known = both.filter(pl.col("scorable") & pl.col("scorable_after"))
    sets = second.spec.sets(second.snapshots)
    if sets is None:
        others = reworded(*(one.spec.sentence_words(one.snapshots) for one in (first, second))).groups
        same = known.filter(~pl.col("group").is_in(others))
        return judged_changes(second.spec, list(_of_groups(second, same)), SCALES)
    names: dict[str, Any] = {"group_a": sets.names[0], "group_b": sets.names[1], "category": sets.contrast}
    found = [_of_sets(second.spec, known, names)] if known.height else []
    return judged_changes(second.spec, found, SCALES)


def _draws(run: Audited[CeatSpec]) -> tuple[object, ...]:
    """Return what decides the sentences of a draw, and how draws are combined."""
    spec = run.spec
    return spec.corpus, spec.seed, spec.params.samples, spec.params.case, spec.params.variant, spec.sets(run.snapshots)


def _of_groups(run: Audited[CeatSpec], known: pl.DataFrame) -> Iterator[Measure]:
    dimensions = {pair.name: pair.dimension for pair in run.spec.pairs(run.snapshots)}
    for row in known.iter_rows(named=True):
        sentences = min(row["sentences"], row["sentences_after"])
        variance = row["variance"] + row["variance_after"]
        found = _tested(run.spec, row["effect_size_after"] - row["effect_size"], variance, sentences)
        labels: dict[str, Any] = {
            "group_a": row["group"],
            "attribute": row["attribute"],
            "category": dimensions[row["attribute"]],
        }
        one = change_measure(GROUP, found, unit="sentence", n=2 * run.spec.params.samples, **labels)
        yield _noted(one, NOT_PAIRED if sentences >= FEWEST_TESTED else join_reasons(NOT_PAIRED, TOO_FEW))


def _tested(spec: CeatSpec, value: float, variance: float, sentences: int) -> Jackknifed:
    """Return the change with Student's t; the rarest word's sentences - 1 degrees of freedom."""
    if sentences < FEWEST_TESTED:
        return Jackknifed(value, *(np.nan,) * 4, sentences)
    error, t, margin = float(np.sqrt(variance)), stats.t(sentences - 1), spec.margin(Scale.STANDARDISED)
    reach = float(t.isf((1 - spec.params.level) / 2)) * error
    equivalence_p = float(t.sf((margin - abs(value)) / error))
    return Jackknifed(
        value, value - reach, value + reach, float(2 * t.sf(abs(value) / error)), equivalence_p, sentences
    )


def _of_sets(spec: CeatSpec, known: pl.DataFrame, names: dict[str, Any]) -> Measure:
    """Return the change of the combined effect size. Draw i reads the same sentences in both runs."""
    repeats = min(known["sentences"].min(), known["sentences_after"].min()) < spec.params.samples  # type: ignore[operator, type-var]
    before, after = (_without(known, side) for side in ("", "_after"))
    value = _combined(known, "_after") - _combined(known, "")
    without = after - before
    found = jackknifed(value, [without], margin=spec.margin(Scale.STANDARDISED), level=spec.params.level)
    if repeats:
        found = Jackknifed(value, *(np.nan,) * 4, known.height)
    return _noted(change_measure(SETS, found, unit="draw", n=known.height, **names), REPEATED if repeats else "")


def _combined(known: pl.DataFrame, side: str) -> float:
    return combine(known[f"effect_size{side}"].to_numpy(), known[f"variance{side}"].to_numpy()).value


def _without(known: pl.DataFrame, side: str) -> Floats:
    """Return the combined effect size without each draw, [draws], with the weights of all draws."""
    effects, own = (known[f"{name}{side}"].to_numpy() for name in ("effect_size", "variance"))
    weights = 1 / (own + combine(effects, own).between)
    return ratios_without(weights * effects, weights)


def _noted(one: Measure, note: str) -> Measure:
    return replace(one, reason=note) if note else one
