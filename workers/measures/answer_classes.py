"""How many answers in text each class has, over all answers and for each group that they are about."""

import polars as pl

from plumbline.spec.answers.classes import BY_CLASS
from plumbline.spec.measure import Measure


def class_counts(parsed: pl.DataFrame, variant: str) -> list[Measure]:
    """Return a count for each class that occurs, from `parsed_answer`; of a group also the classes that it lacks."""
    kinds = parsed["answer_class"].unique().sort().to_list()
    whole = parsed.with_columns(group=pl.lit(""))
    by_group = pl.concat([whole, parsed.filter(pl.col("group") != "")])
    counts = by_group.group_by("group", "answer_class").len()
    found = {(group, kind): n for group, kind, n in counts.iter_rows()}
    totals = dict(by_group.group_by("group").len().sort("group").iter_rows())
    return [
        Measure(
            statistic=BY_CLASS,
            unit="answer",
            n=total,
            n_units=total,
            value=float(found.get((group, kind), 0)),
            group_a=group,
            attribute=kind,
            variant=variant,
        )
        for group, total in totals.items()
        for kind in kinds
    ]
