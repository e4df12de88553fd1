"""What a mitigation costs: the change of the accuracy from one run to another, question by question."""

import polars as pl

from plumbline.methods.question_accuracy.card import CHANGED_ACCURACY
from plumbline.methods.question_accuracy.spec import AccuracySpec
from plumbline.spec.card import PAIRED_DIFFERENCE
from plumbline.spec.measure import Measure
from workers.measures.estimated import defined
from workers.measures.judging import judged, smallest_effect
from workers.probes.protocol import Audited, Changes
from workers.probes.question_accuracy.summary import UNIT, contexts_of
from workers.statistics.permutation_tests.integer_flips import flipped_sums_p
from workers.statistics.ratio_of_sums import ratio_of_sums

FEWEST_CONTEXTS = 100
"""The fewest for which the test was simulated. Source: bench/simulations/question_accuracy.py."""
FEWEST_CHANGED = 10
"""With fewer answers that became right or wrong there is no interval and no test of absence: both assume many."""
FEW = f"a verdict needs {FEWEST_CONTEXTS} contexts"
SELDOM = f"fewer than {FEWEST_CHANGED} answers became right or wrong"


def compare(first: Audited[AccuracySpec], second: Audited[AccuracySpec]) -> Changes:
    """Return second minus first over the questions that both runs answered, with contexts as units.

    p flips the signs of the contexts' changes; interval and equivalence test are those of a ratio of sums.
    """
    texts = [{one.id: one for one in run.spec.questions(run.snapshots)} for run in (first, second)]
    same = [key for key, one in texts[0].items() if texts[1].get(key) == one]
    before, after = (_answers(run).filter(pl.col("item").is_in(same)) for run in (first, second))
    both = before.join(after, on="item", suffix="_after", maintain_order="left")
    answered = both.drop_nulls()
    contexts = contexts_of([texts[1][key] for key in answered["item"].to_list()])
    measures = [_measure(second.spec, answered, contexts)] if answered.height else []
    return Changes(
        judged(second.spec, measures, lambda one: one.statistic),
        only_first=len(texts[0]) - len(same),
        only_second=len(texts[1]) - len(same),
        not_scorable=both.height - answered.height,
        paired=answered.height,
    )


def _answers(run: Audited[AccuracySpec]) -> pl.DataFrame:
    return run.read("choice").select("item", (pl.col("chosen") == pl.col("gold")).cast(pl.Int64).alias("right"))


def _measure(spec: AccuracySpec, answered: pl.DataFrame, contexts: dict[str, str]) -> Measure:
    change = answered.with_columns(
        change=pl.col("right_after") - pl.col("right"), context=pl.col("item").replace_strict(contexts)
    )
    # Sums do not depend on the order of contexts; the last digit of a float does.
    sums = change.group_by("context").agg(pl.col("change").sum(), pl.len()).sort("context")
    margin = smallest_effect(spec, PAIRED_DIFFERENCE.name)
    values, sizes = (sums[key].cast(pl.Float64).to_numpy() for key in ("change", "len"))
    found = ratio_of_sums(values, sizes, margin=margin, level=spec.params.level)
    p_value, least_p = flipped_sums_p(values)
    few = found.n_units < FEWEST_CONTEXTS
    seldom = int((change["change"] != 0).sum()) < FEWEST_CHANGED
    return Measure(
        statistic=PAIRED_DIFFERENCE.name,
        unit=UNIT,
        n=answered.height,
        n_units=found.n_units,
        value=defined(found.value),
        ci_low=None if seldom else defined(found.low),
        ci_high=None if seldom else defined(found.high),
        p_value=None if few else p_value,
        least_p=None if few else least_p,
        equivalence_p=None if few or seldom else defined(found.equivalence_p),
        attribute=CHANGED_ACCURACY,
        reason=FEW if few else SELDOM if seldom else "",
    )
