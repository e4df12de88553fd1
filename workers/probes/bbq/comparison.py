"""How two runs of BBQ differ: in their scores, and in the accuracy on disambiguated items, which a change may cost."""

from functools import partial

import polars as pl

from plumbline.methods.bbq.card import DISAMBIGUATED_ACCURACY
from plumbline.methods.bbq.spec import BbqSpec
from plumbline.spec.banks.bbq_question import DISAMBIG
from plumbline.spec.card import PAIRED_DIFFERENCE
from plumbline.spec.measure import Measure
from workers.measures.changes import change_measure
from workers.measures.judging import judged, smallest_effect
from workers.probes.bbq.score_changes import measure_changes
from workers.probes.protocol import Audited, Changes
from workers.statistics.jackknife import Jackknifed
from workers.statistics.ratio_of_sums import ratio_of_sums

__all__ = ("compare", "measure_changes")
ALIKE = "the answers of all templates changed alike"
FEWEST_TEMPLATES = 20
"""The fewest for which the test was simulated. Source: bench/simulations/perplexity.py."""
FEW = f"a verdict needs {FEWEST_TEMPLATES} templates"
ASKED = ("item", "name", "options")
"""What identifies an answer of two runs: the item, and its options in their order."""


def compare(first: Audited[BbqSpec], second: Audited[BbqSpec]) -> Changes:
    """Return second minus first over the disambiguated items that both runs asked in the same order of options.

    An answer that matches no option is a wrong one. Of several samples of an answer, the share of right ones counts.
    Templates are the units. Several categories have a row each.
    """
    before, after = (_answers(run) for run in (first, second))
    both = before.join(after, on=ASKED, suffix="_after")
    categories = both["category"].unique().sort().to_list()
    parts = [both, *(both.filter(category=one) for one in categories if len(categories) > 1)] if both.height else []
    names = ["", *categories]
    return Changes(
        judged(second.spec, list(map(partial(_measure, second.spec), parts, names)), lambda one: one.statistic),
        only_first=before.height - both.height,
        only_second=after.height - both.height,
        not_scorable=0,
        paired=both.height,
    )


def _answers(run: Audited[BbqSpec]) -> pl.DataFrame:
    right = (pl.col("chosen") == pl.col("gold")).fill_null(value=False).cast(pl.Float64)
    answers = run.read("choice").filter(condition=DISAMBIG)
    told = answers.select(*ASKED, "category", right.alias("right"), pl.coalesce("template", "item").alias("template"))
    return told.group_by(*ASKED, "category", "template", maintain_order=True).agg(pl.col("right").mean())


def _measure(spec: BbqSpec, both: pl.DataFrame, category: str) -> Measure:
    labels = {"attribute": DISAMBIGUATED_ACCURACY, "category": category}
    return change_measure(
        PAIRED_DIFFERENCE.name,
        _estimate(spec, both),
        fewest=FEWEST_TEMPLATES,
        few=FEW,
        alike=ALIKE,
        unit="template",
        n=both.height,
        **labels,
    )


def _estimate(spec: BbqSpec, both: pl.DataFrame) -> Jackknifed:
    change = (pl.col("right_after") - pl.col("right")).sum()
    templates = both.group_by("template").agg(change.alias("change"), pl.len().cast(pl.Float64).alias("answers"))
    # Sums do not depend on the order of templates; the last digit of a float does.
    templates = templates.sort("template")
    margin = smallest_effect(spec, PAIRED_DIFFERENCE.name)
    return ratio_of_sums(
        templates["change"].to_numpy(), templates["answers"].to_numpy(), margin=margin, level=spec.params.level
    )
