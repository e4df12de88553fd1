"""Measures of a CEAT run, from its effect sizes."""

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
from scipy import stats

from plumbline.analyses.alignment.statistics import EXCESS
from plumbline.methods.ceat.spec import FEWEST_TESTED, CeatSpec
from plumbline.spec.banks.pairs import Pair
from plumbline.spec.content import Group
from plumbline.spec.measure import OTHER_GROUPS, Measure, join_reasons, join_variants
from plumbline.spec.numbers import counted
from plumbline.spec.word_sets import WordSets
from workers.analyses.alignment import measures as alignment
from workers.measures.effect_measures import ONE_SIDED
from workers.measures.families import family_by
from workers.measures.judging import judged, smallest_effect
from workers.probes.ceat.effects import t_test
from workers.probes.protocol import Snapshots
from workers.statistics import combine
from workers.statistics.resampling import Resampling
from workers.statistics.units import Floats

UNTESTED = "no interval and no test"
TOO_FEW = f"fewer than {FEWEST_TESTED} sentences of a word: no test"


def summarise(spec: CeatSpec, snapshots: Snapshots, associations: pl.DataFrame, effects: pl.DataFrame) -> list[Measure]:
    """Return all measures: of groups on pairs or of the two sets, coverage, and agreement with people."""
    sets = spec.sets(snapshots)
    if sets is not None:
        found = [*_combined(spec, sets, effects), *_shares(associations)]
    else:
        groups, _ = spec.of_groups(snapshots)
        pairs = spec.pairs(snapshots)
        found = [*_of_groups(spec, groups, pairs, effects), *_shares(associations)]
        if (judgements := spec.judgements(snapshots)) is not None:
            params = spec.params
            resampling = Resampling(spec.seed, params.resamples, params.permutations, params.level)
            sizes, _ = effect_sizes(groups, pairs, effects)
            margin = smallest_effect(spec, EXCESS.name)
            found += alignment.measures(sizes, groups, pairs, judgements, resampling, margin)
    tested = judged(spec, found, family_by(spec.families))
    return [replace(one, variant=join_variants(spec.variant, one.variant)) for one in tested]


def targets_of(sets: WordSets) -> str:
    """Return the name of the two target sets in records."""
    return f"{sets.names[0]} - {sets.names[1]}"


def effect_sizes(groups: list[Group], pairs: tuple[Pair, ...], effects: pl.DataFrame) -> tuple[Floats, Floats]:
    """Return effect sizes and their variances, [groups, pairs] each; NaN if there is none."""
    rows, columns = [group.label for group in groups], [pair.name for pair in pairs]
    value, variance = np.full((2, len(rows), len(columns)), np.nan)
    known = effects.filter(pl.col("scorable"))
    index = tuple(
        known[name].replace_strict(axis, list(range(len(axis))), return_dtype=pl.Int32).to_numpy()
        for name, axis in (("group", rows), ("attribute", columns))
    )
    value[index], variance[index] = known["effect_size"].to_numpy(), known["variance"].to_numpy()
    return value, variance


def _of_groups(spec: CeatSpec, groups: list[Group], pairs: tuple[Pair, ...], effects: pl.DataFrame) -> list[Measure]:
    value, variance = effect_sizes(groups, pairs, effects)
    told = {(row["group"], row["attribute"]): row for row in effects.iter_rows(named=True)}
    found, compared = [], _compared([group.label for group in groups])
    for row, group in enumerate(groups):
        for column, pair in enumerate(pairs):
            labels: dict[str, Any] = {"group_a": group.label, "attribute": pair.name, "category": pair.dimension}
            record = told[group.label, pair.name]
            own = _tested(spec, float(value[row, column]), float(variance[row, column]), record)
            found.append(Measure(statistic="ceat", **labels, **own))
            difference = against_others(value[:, column], variance[:, column], row)
            if difference is not None and group.label in compared:
                fewest = min((told[one.label, pair.name] for one in groups), key=_sentences)
                other = _tested(spec, *difference, fewest)
                found.append(Measure(statistic="ceat_difference", **labels, group_b=compared[group.label], **other))
    return found


def _compared(groups: list[str]) -> dict[str, str]:
    """Return what each group is compared with. Two groups have one difference, which the second would only repeat."""
    return {groups[0]: groups[1]} if len(groups) == 2 else dict.fromkeys(groups, OTHER_GROUPS)


def _sentences(record: dict[str, Any]) -> float:
    """Return the number of sentences of the rarest word; infinity for a group without a value."""
    return float(record["sentences"]) if record["scorable"] else float("inf")


def against_others(values: Floats, variances: Floats, row: int) -> tuple[float, float] | None:
    """Return a group minus the mean of the others, and the variance with draws of different groups as independent.

    The groups share the sentences of the poles, which cancel in part, so the variance is rather too large.
    """
    others = np.delete(values, row)
    known = ~np.isnan(others)
    if np.isnan(values[row]) or not known.any():
        return None
    own = np.delete(variances, row)[known]
    return float(values[row] - others[known].mean()), float(variances[row] + own.sum() / len(own) ** 2)


def _tested(spec: CeatSpec, value: float, variance: float, record: dict[str, Any]) -> dict[str, Any]:
    """Return the numbers of a measure, with the rarest word's sentences - 1 degrees of freedom."""
    sentences = record["sentences"]
    counts = {"n": 2 * spec.params.samples, "n_units": sentences, "unit": "sentence"}
    if np.isnan(value):
        return {"value": None, "reason": record["reason"], **counts, "n": 0}
    if sentences < 2:
        return {"value": value, "reason": f"{_few(spec, sentences)}; {UNTESTED}", **counts}
    low, high, p = t_test(value, variance, sentences, spec.params.level)
    tested, few = sentences >= FEWEST_TESTED, _few(spec, sentences)
    numbers = {"value": value, "ci_low": low, "ci_high": high, "p_value": p if tested else None}
    return {**numbers, "reason": few if tested else join_reasons(few, TOO_FEW), **counts}


def _few(spec: CeatSpec, sentences: int) -> str:
    """Return the note on a word that was drawn with replacement."""
    if sentences >= spec.params.samples:
        return ""
    return f"drawn with replacement: the rarest of its words has {counted(sentences, 'sentence')} in the corpus"


def _combined(spec: CeatSpec, sets: WordSets, effects: pl.DataFrame) -> list[Measure]:
    """Return the combined effect size, two-sided and one-sided; in the released code's variant only one-sided.

    Draws that repeat a sentence are not independent, as the interval and p assume; then there is neither.
    """
    known = effects.filter(pl.col("scorable"))
    shared: dict[str, Any] = {
        "statistic": "combined_effect_size",
        "group_a": sets.names[0],
        "group_b": sets.names[1],
        "category": sets.contrast,
        "unit": "draw",
        "n": len(known),
        "n_units": len(known),
    }
    if known.is_empty():
        return [Measure(value=None, reason=str(effects["reason"][0]), **shared)]
    sentences = int(known["sentences"].min())  # type: ignore[arg-type]
    combined = combine(known["effect_size"].to_numpy(), known["variance"].to_numpy())
    if sentences < spec.params.samples:
        reason = join_reasons(_repeated(sentences), _share_out(effects))
        return [Measure(value=combined.value, reason=reason, **shared)]
    reach = float(stats.norm.isf((1 - spec.params.level) / 2)) * combined.standard_error
    primary = Measure(
        value=combined.value,
        ci_low=combined.value - reach,
        ci_high=combined.value + reach,
        p_value=combined.p_value,
        reason=_share_out(effects),
        **shared,
    )
    if spec.params.variant == "released_code":
        return [replace(primary, p_value=combined.one_sided)]
    return [primary, replace(primary, variant=ONE_SIDED, p_value=combined.one_sided)]


def _repeated(sentences: int) -> str:
    remedy = f"samples: {sentences}, or a larger corpus" if sentences > 1 else "a larger corpus"
    return (
        f"{UNTESTED}: draws repeat sentences, as the rarest of its words has {sentences} in the corpus; take {remedy}"
    )


def _share_out(effects: pl.DataFrame) -> str:
    out = int((~effects["scorable"]).sum())
    return f"{out} draws without spread are left out" if out else ""


def _shares(associations: pl.DataFrame) -> list[Measure]:
    """Return the coverage: the share of a word's pairs that have a cosine."""
    shares = associations.group_by("group", maintain_order=True).agg(
        pl.col("scorable").mean().alias("share"), pl.len().alias("n")
    )
    return [
        Measure(
            statistic="scorable_share",
            group_a=group,
            value=float(share),
            n=n,
            n_units=n,
            unit="item",
            reason="a share of the items asked: no sampling",
        )
        for group, share, n in shares.iter_rows()
    ]
