"""How well groups can be read from embeddings of names in one run and in another, paired by name."""

from collections.abc import Iterator

import polars as pl

from plumbline.methods.name_embedding.spec import TEST, NameEmbeddingSpec
from plumbline.spec.measure import Measure
from plumbline.spec.verdicts import Scale
from workers.measures.changes import FEWEST_SKEWED, change_measure, judged_changes
from workers.probes.name_embedding.answers import EMBEDDING
from workers.probes.protocol import Audited
from workers.statistics.rate_changes import UnitSums, rate_change

ACCURACY = "classifier_accuracy"
ASKED = ("item", "name")


def measure_changes(first: Audited[NameEmbeddingSpec], second: Audited[NameEmbeddingSpec]) -> list[Measure]:
    """Return the change of the accuracy on test names, by trait, over the splits that both runs have.

    Names are the units: the interval is about other names, with classifiers of the same kind.
    """
    before, after = (_answers(run) for run in (first, second))
    both = before.join(after, on=ASKED, suffix="_after", maintain_order="left")
    return judged_changes(second.spec, list(_changes(second.spec, both)), {ACCURACY: Scale.RATE})


def _answers(run: Audited[NameEmbeddingSpec]) -> pl.DataFrame:
    right = (pl.col("chosen") == pl.col("gold")).cast(pl.Float64).alias("right")
    answers = run.read("choice").filter(condition=EMBEDDING, polarity=TEST)
    return answers.select(*ASKED, "category", right)


def _changes(spec: NameEmbeddingSpec, both: pl.DataFrame) -> Iterator[Measure]:
    for trait in both["category"].unique(maintain_order=True):
        own = both.filter(category=trait).group_by("name", maintain_order=True)
        names = own.agg(pl.col("right").sum(), pl.col("right_after").sum(), pl.len().cast(pl.Float64).alias("asked"))
        sizes = names["asked"].to_numpy()
        before, after = (UnitSums(names[side].to_numpy(), sizes) for side in ("right", "right_after"))
        found = rate_change(before, after, margin=spec.margin(Scale.RATE), level=spec.params.level)
        labels = {"condition": TEST, "category": str(trait)}
        yield change_measure(ACCURACY, found, fewest=FEWEST_SKEWED, unit="name", n=len(sizes), **labels)
