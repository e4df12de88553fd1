"""How the differences between groups changed from one run to another."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import polars as pl

from plumbline.spec.association import AssociationSpec
from plumbline.spec.card import DIFFERENCE_IN_DIFFERENCES, Card
from plumbline.spec.materials import Materials
from plumbline.spec.measure import Measure
from workers.measures.judging import judged
from workers.probes.cell_scores.cell_measures import differences
from workers.probes.cell_scores.contrasts import contrasts, cube
from workers.probes.cell_scores.shared_differences import shared_differences


def contrast_changes(spec: AssociationSpec, materials: Materials, paired: pl.DataFrame, card: Card) -> list[Measure]:
    """Return the difference in differences of each pair of groups, with each attribute and over each list, judged.

    `paired` has template, group, attribute, score_a (earlier run) and score_b (later run), null if not scorable, and
    in_a, in_b. `spec` and `materials` are those of the later run. A template counts only if both runs scored both
    groups. All changes are one family in the partition of the spec. `condition` names the statistic that changed.
    """
    change = pl.col("score_b") - pl.col("score_a")
    both = paired.filter(pl.col("in_a") & pl.col("in_b")).with_columns(score=change, scorable=change.is_not_null())
    found = list(contrasts(materials, cube(materials, both), spec.params.contrasts))
    name = DIFFERENCE_IN_DIFFERENCES.name
    of_words, of_lists = (of(spec, materials, found, name) for of in (differences, shared_differences))
    measures = [one for one in (*of_words, *of_lists) if one.n_units]
    # A condition would split the family. Those of lists are in it, too (METHODS 10).
    family = partial(_family, spec.families)
    return [replace(one, condition=card.difference) for one in judged(spec, measures, family)]


def _family(columns: Sequence[str], change: Measure) -> str:
    return "\x1f".join(str(getattr(change, column)) for column in columns)
