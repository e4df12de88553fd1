"""How the shares of pairs and GEST's ratios change from one run to another, paired by pair and by sentence."""

from collections.abc import Iterator, Mapping

import numpy as np
import polars as pl

from plumbline.methods.pairs.card import SHARES
from plumbline.methods.pairs.content import MEN, WOMEN, GestSentence, SentencePair
from plumbline.methods.pairs.spec import PairsSpec
from plumbline.spec.measure import Measure
from plumbline.spec.verdicts import Scale
from workers.measures.changes import FEWEST_SKEWED, change_measure, judged_changes
from workers.probes.pairs.families import families
from workers.probes.pairs.summary_shares import UNIT, wins
from workers.probes.protocol import Audited, Changes
from workers.statistics.jackknife import Jackknifed
from workers.statistics.rate_changes import UnitSums, rate_change
from workers.statistics.ratio_of_sums import ratio_of_sums
from workers.statistics.stereotype_rates import mean_of_means, rate_test, rate_weights
from workers.statistics.units import Floats

ASKED = ("item", "scoring", "template")
GEST_R, GEST_LOG_RATE = "gest_r", "gest_log_g_s"
SCALES = {**dict.fromkeys(SHARES.values(), Scale.RATE), GEST_R: Scale.LOG, GEST_LOG_RATE: Scale.LOG}
ByStereotype = Mapping[int, Floats]
"""The changes of the scores of sentences, by the number of the stereotype."""


def compare(first: Audited[PairsSpec], second: Audited[PairsSpec]) -> Changes:
    """Count the scores that both runs have. Single pairs are too noisy for a test of each."""
    records = [run.read("pair") for run in (first, second)]
    both = _both(*records)
    shared = records[0].join(records[1], on=ASKED).height
    return Changes([], records[0].height - shared, records[1].height - shared, shared - both.height, both.height)


def measure_changes(first: Audited[PairsSpec], second: Audited[PairsSpec]) -> list[Measure]:
    """Return the change of each share, or of each r and of log g_s, over what both runs could score."""
    spec, items = second.spec, second.spec.items(second.snapshots)
    both = _both(first.read("pair"), second.read("pair"))
    if isinstance(items[0], GestSentence):
        found = _of_gest(spec, both)
    else:
        found = _of_shares(spec, [one for one in items if isinstance(one, SentencePair)], both)
    return judged_changes(spec, list(found), SCALES)


def _both(first: pl.DataFrame, second: pl.DataFrame) -> pl.DataFrame:
    """Return what both runs could score: the earlier `score` and the later `score_after`."""
    return first.join(second, on=ASKED, suffix="_after", maintain_order="left").drop_nulls(["score", "score_after"])


def _of_shares(spec: PairsSpec, items: list[SentencePair], both: pl.DataFrame) -> Iterator[Measure]:
    about = {"item": [one.id for one in items], "family": families(items), "type": [one.category for one in items]}
    joined = pl.DataFrame(about).join(both, on="item", maintain_order="left")
    for scoring in joined["scoring"].drop_nulls().unique(maintain_order=True):
        rows = joined.filter(scoring=scoring)
        yield _share(spec, str(scoring), rows, "")
        for name in [one for one in rows["type"].unique(maintain_order=True) if one]:
            yield _share(spec, str(scoring), rows.filter(type=name), str(name))


def _share(spec: PairsSpec, scoring: str, rows: pl.DataFrame, category: str) -> Measure:
    """Return the change of the share. Pairs of one family are one unit."""
    family = np.unique(rows["family"].to_numpy(), return_inverse=True)[1]
    sizes = np.bincount(family).astype(np.float64)
    before, after = (
        UnitSums(np.asarray(np.bincount(family, weights=wins(rows[name].to_numpy())), np.float64), sizes)
        for name in ("score", "score_after")
    )
    found = rate_change(before, after, margin=spec.margin(Scale.RATE), level=spec.params.level)
    return change_measure(SHARES[scoring], found, fewest=FEWEST_SKEWED, unit=UNIT, n=rows.height, category=category)


def _of_gest(spec: PairsSpec, both: pl.DataFrame) -> Iterator[Measure]:
    """Yield the changes of each template, and with several those of their mean, as the summary does."""
    changed = both.with_columns(change=pl.col("score_after") - pl.col("score"))
    templates = [str(one) for one in changed["template"].unique(maintain_order=True)]
    for name in templates:
        yield from _of_template(spec, _by_stereotype(changed.filter(template=name)), name)
    if len(templates) > 1:
        whole = changed.group_by("item", "category", maintain_order=True)
        averaged = whole.agg(pl.col("change").mean(), pl.len().alias("templates")).filter(templates=len(templates))
        yield from _of_template(spec, _by_stereotype(averaged), "")


def _by_stereotype(changed: pl.DataFrame) -> ByStereotype:
    numbers, values = changed["category"].cast(pl.Int64).to_numpy(), changed["change"].to_numpy()
    return {number: values[numbers == number] for number in (*WOMEN, *MEN)}


def _of_template(spec: PairsSpec, changes: ByStereotype, template: str) -> Iterator[Measure]:
    margin, level = spec.margin(Scale.LOG), spec.params.level
    for number, values in changes.items():
        found = ratio_of_sums(values, np.ones(len(values)), margin=margin, level=level)
        yield change_measure(GEST_R, found, unit="sentence", n=len(values), attribute=str(number), template=template)
    if all(len(values) for values in changes.values()):
        found = _rate_change(changes, margin, level)
        n = sum(map(len, changes.values()))
        yield change_measure(GEST_LOG_RATE, found, unit="stereotype", n=n, template=template)


def _rate_change(changes: ByStereotype, margin: float, level: float) -> Jackknifed:
    """Return the change of log g_s: the interval is over sentences, the test exchanges stereotypes."""
    groups = [changes[number] for number in (*WOMEN, *MEN)]
    mean = mean_of_means(groups, rate_weights(len(WOMEN), len(MEN)), level)
    test = rate_test({number: float(values.mean()) for number, values in changes.items()}, WOMEN, margin)
    return Jackknifed(mean.value, mean.low, mean.high, test.p_value, test.equivalence_p, len(groups))
