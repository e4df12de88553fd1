"""What a mitigation costs: the change of perplexity and top-1 accuracy from one run to another, text by text."""

from collections.abc import Iterator

import polars as pl

from plumbline.methods.perplexity.card import LOG_PERPLEXITY, TOP1_CHANGE
from plumbline.methods.perplexity.spec import PerplexitySpec
from plumbline.spec.card import PAIRED_DIFFERENCE
from plumbline.spec.errors import InputError
from plumbline.spec.measure import Measure
from workers.measures.changes import change_measure
from workers.measures.judging import judged, smallest_effect
from workers.probes.protocol import Audited, Changes
from workers.statistics.ratio_of_sums import ratio_of_sums

ALIKE = "all texts changed alike"
FEWEST_TEXTS = 100
"""With fewer texts the test of skewed changes rejects too often. Source: bench/simulations/perplexity.py."""
FEW = f"a verdict needs {FEWEST_TEXTS} texts"


def compare(first: Audited[PerplexitySpec], second: Audited[PerplexitySpec]) -> Changes:
    """Return second minus first over the texts that both runs scored. InputError for two ways to count tokens."""
    texts = [{one.id: one.text for one in run.spec.items(run.snapshots)} for run in (first, second)]
    same = [name for name, text in texts[0].items() if texts[1].get(name) == text]
    before, after = (run.read("text_likelihood").filter(pl.col("item").is_in(same)) for run in (first, second))
    both = before.join(after, on="item", suffix="_after", maintain_order="left")
    scored = both.filter(pl.col("scorable") & pl.col("scorable_after"))
    _require_one_tokenizer(scored)
    return Changes(
        judged(second.spec, list(_measures(second.spec, scored)), lambda one: one.statistic),
        only_first=len(texts[0]) - len(same),
        only_second=len(texts[1]) - len(same),
        not_scorable=both.height - scored.height,
        paired=scored.height,
    )


def _require_one_tokenizer(scored: pl.DataFrame) -> None:
    if scored.filter(
        (pl.col("n_tokens") != pl.col("n_tokens_after")) | (_is_masked("") != _is_masked("_after"))
    ).height:
        raise InputError(
            "these models split texts into different tokens, or one of them is masked and the other causal: their"
            " perplexities cannot be compared. Compare a model with its own variants."
        )


def _is_masked(suffix: str) -> pl.Expr:
    return pl.col(f"n_top1{suffix}").is_not_null()


def _measures(spec: PerplexitySpec, scored: pl.DataFrame) -> Iterator[Measure]:
    if not scored.height:
        return
    yield _change(spec, scored, -(pl.col("log_likelihood_after") - pl.col("log_likelihood")), LOG_PERPLEXITY)
    if not scored["n_top1"].has_nulls():
        yield _change(spec, scored, pl.col("n_top1_after") - pl.col("n_top1"), TOP1_CHANGE)


def _change(spec: PerplexitySpec, scored: pl.DataFrame, change: pl.Expr, attribute: str) -> Measure:
    values = scored.select(change.cast(pl.Float64)).to_series().to_numpy()
    sizes = scored["n_tokens"].cast(pl.Float64).to_numpy()
    margin = smallest_effect(spec, PAIRED_DIFFERENCE.name)
    found = ratio_of_sums(values, sizes, margin=margin, level=spec.params.level)
    return change_measure(
        PAIRED_DIFFERENCE.name,
        found,
        fewest=FEWEST_TEXTS,
        few=FEW,
        alike=ALIKE,
        unit="text",
        n=int(sizes.sum()),
        attribute=attribute,
    )
