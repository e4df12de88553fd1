"""Two runs compared, so that what they have in common cancels: item by item, or as their method does it.

A method whose scores do not belong to single items has a module `comparison` in its workers' folder, with a function
`compare`. A function `measure_changes` there compares figures of whole runs.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from plumbline.audits.freezing import frozen_spec
from plumbline.audits.model_kinds import KINDS, kind_of
from plumbline.audits.models import Run
from plumbline.audits.sentence_words import sentence_words
from plumbline.findings.contrasts import is_present
from plumbline.results import reading
from plumbline.results.summing import records_or_sums
from plumbline.spec.association import AssociationSpec
from plumbline.spec.audit import AuditSpec
from plumbline.spec.card import PAIRED_DIFFERENCE
from plumbline.spec.grammar import frame
from plumbline.spec.materials import Materials
from plumbline.spec.measure import OTHER_GROUPS, Measure
from plumbline.spec.power.association import contrasts_of
from plumbline.spec.registry import FOLDERS, PROBES
from plumbline.spec.rewording import Reworded, changed_lists, have_same_others, in_shared_sentences, reworded
from plumbline.spec.sentences import Words
from plumbline.spec.sources import kinds_of
from workers.measures.estimated import numbers_of
from workers.measures.judging import judged, smallest_effect
from workers.probes.cell_scores.contrast_changes import contrast_changes
from workers.probes.protocol import Audited, Compare
from workers.statistics import estimate_cells

ITEM = ["template", "group", "attribute"]
AGREEMENT = 1e-5
"""Equal questions to an equal model agree so far on any device: less than that is rounding, however regular."""
LABELS_OF_RUN = frozenset({"name", "model"})
WEIGHTS = ("digest", "tokenizer_digest")
VERSIONS = ("engine", "probe_version", "torch", "transformers", "tokenizers", "numpy", "device")


@dataclass(frozen=True, slots=True)
class Comparison:
    """`changes`: for each group and attribute the mean paired difference, second run minus first, largest first.

    `contrasts`: the changes of differences between groups or of figures of the whole runs, if they were requested.
    """

    changes: list[Measure]
    paired: int
    only_first: int
    only_second: int
    not_scorable: int
    contrasts: Sequence[Measure] = ()

    @property
    def moved(self) -> list[Measure]:
        """The changes that are beyond chance and beyond rounding."""
        return [change for change in self.changes if has_moved(change)]


def has_moved(change: Measure) -> bool:
    """Whether a change is beyond chance (by its q-value) and beyond rounding."""
    return is_present(change) and abs(change.value or 0.0) > AGREEMENT


def compare_runs(first: Run, second: Run, *, contrasts: bool = False) -> Comparison:
    """Return second minus first, summarised as the second run's spec says: its seed, level, resamples and families.

    `contrasts` also compares the differences between groups, or the figures of the whole runs, if the method has them.
    Raises InputError for runs whose scores are not alike.
    """
    own = FOLDERS[second.probe].workers_part("comparison")
    runs = _audited(first), _audited(second)
    if (by_method := getattr(own, "compare", None)) is not None:
        found = _by_method(by_method, *runs)
    else:
        found = _by_item(*runs, reading.paired(first.pk, second.pk), contrasts=contrasts)
    changes = getattr(own, "measure_changes", None)
    return replace(found, contrasts=changes(*runs)) if contrasts and changes is not None else found


def _by_item(
    first: Audited[AuditSpec], second: Audited[AuditSpec], items: pl.DataFrame, *, contrasts: bool
) -> Comparison:
    spec, snapshots = second.spec, second.snapshots
    words = (first.spec.sentence_words(first.snapshots), second.spec.sentence_words(second.snapshots))
    items = without_reworded(items, reworded(*words))
    if not isinstance(spec, AssociationSpec):
        return compare(items, spec, {})
    found = compare(items, spec, kinds_of(spec.templates, snapshots))
    materials = spec.materials(snapshots)
    if not contrasts or not have_comparable_contrasts(spec, materials, words):
        return found
    changes = contrast_changes(spec, materials, items, PROBES[spec.probe].card)
    return replace(found, contrasts=of_same_lists(changes, words))


def have_comparable_contrasts(spec: AssociationSpec, materials: Materials, words: tuple[Words, Words]) -> bool:
    """Return whether the differences between groups of an earlier and a later run are about the same groups.

    `spec` and `materials` are those of the later run. A difference from the mean of the other groups is another figure
    where the other groups are not the same, or are asked in other words.
    """
    from_mean = any(OTHER_GROUPS in pair for pair in contrasts_of(spec, materials.groups))
    return not from_mean or have_same_others(*words)


def of_same_lists(changes: Sequence[Measure], words: tuple[Words, Words]) -> list[Measure]:
    """Return the changes without those of figures over a whole list of which the runs ask other words.

    Such a figure is another one. Over the words that both ask it might be unchanged while both figures are far apart.
    """
    others = changed_lists(*words)
    return [one for one in changes if one.attribute or one.category not in others]


def without_reworded(items: pl.DataFrame, words: Reworded) -> pl.DataFrame:
    """Return the items with those that were asked in other words as items of one run each.

    `items` is as for `compare`. A group or attribute with another plural has other sentences: the scores of both runs
    then differ by the words, and say nothing about a change of the model.
    """
    other = pl.col("group").is_in(list(words.groups)) | pl.col("attribute").is_in(list(words.attributes))
    apart = items.filter(other & pl.col("in_a") & pl.col("in_b"))
    none, no = pl.lit(None, pl.Float64), pl.lit(value=False)
    earlier, later = apart.with_columns(score_b=none, in_b=no), apart.with_columns(score_a=none, in_a=no)
    return pl.concat([items.join(apart, on=ITEM, how="anti"), earlier, later]) if len(apart) else items


def _by_method(compare: Compare[Any], first: Audited[Any], second: Audited[Any]) -> Comparison:
    """Compare by the function that the method brings, from the records of both runs."""
    found = compare(first, second)
    return Comparison(
        changes=sorted(found.measures, key=lambda change: -abs(change.value or 0.0)),
        paired=len(found.measures) if found.paired is None else found.paired,
        only_first=found.only_first,
        only_second=found.only_second,
        not_scorable=found.not_scorable,
    )


def _audited(run: Run) -> Audited[AuditSpec]:
    spec, snapshots = frozen_spec(run)
    return Audited(spec, snapshots, partial(records_or_sums, run.pk))


def compare(items: pl.DataFrame, spec: AuditSpec, kinds: Mapping[str, str]) -> Comparison:
    """Compare from the outer join of two runs' items, as the second run's `spec` says.

    `items` has template, group, attribute (text), score_a, score_b (float64, null if not scorable), in_a, in_b (bool).
    The unit is the kind of sentence, `kinds` by template; of a template that it lacks, the frame. Verdicts are over the
    cells that can be tested and agree in the spec's families.
    """
    both = items.filter(pl.col("in_a") & pl.col("in_b"))
    scored = both.filter(pl.col("score_a").is_not_null() & pl.col("score_b").is_not_null())
    return Comparison(
        changes=_changes(scored, spec, kinds),
        paired=len(scored),
        only_first=items.filter(~pl.col("in_b")).height,
        only_second=items.filter(~pl.col("in_a")).height,
        not_scorable=len(both) - len(scored),
    )


def _changes(scored: pl.DataFrame, spec: AuditSpec, kinds: Mapping[str, str]) -> list[Measure]:
    if scored.is_empty():
        return []
    templates = scored["template"].unique().sort().to_list()
    cells = scored.select("group", "attribute").unique().sort("group", "attribute").rows()
    values = np.full((len(cells), len(templates)), np.nan)
    column = {template: index for index, template in enumerate(templates)}
    row = {cell: index for index, cell in enumerate(cells)}
    for template, group, attribute, score_a, score_b in scored.select(
        "template", "group", "attribute", "score_a", "score_b"
    ).iter_rows():
        values[row[group, attribute], column[template]] = score_b - score_a
    frames = [frame(template) for template in templates]
    units = [kinds.get(template, own) for template, own in zip(templates, frames, strict=True)]
    estimates = estimate_cells(
        values,
        np.unique(units, return_inverse=True)[1],
        np.unique(frames, return_inverse=True)[1],
        seed=spec.seed,
        family=np.array([_family(group, attribute, spec.families) for group, attribute in cells]),
        margin=smallest_effect(spec, PAIRED_DIFFERENCE.name),
        **_sampling(spec),
    )
    changes = [
        Measure(
            statistic=PAIRED_DIFFERENCE.name,
            unit="kind of sentence",
            group_a=group,
            attribute=attribute,
            **numbers_of(estimates, index),
        )
        for index, (group, attribute) in enumerate(cells)
    ]
    told = judged(spec, changes, lambda one: _family(one.group_a, one.attribute, spec.families))
    return sorted(told, key=lambda change: -abs(change.value or 0.0))


def _sampling(spec: AuditSpec) -> dict[str, Any]:
    params = getattr(spec, "params", None)
    known = {"draws": "permutations", "level": "level"}
    return {name: getattr(params, key) for name, key in known.items() if hasattr(params, key)}


def _family(group: str, attribute: str, families: tuple[str, ...]) -> str:
    """Of the columns that may define a family, a change between two runs has these two only."""
    own = {"group_a": group, "attribute": attribute}
    return "\x1f".join(own.get(name, "") for name in families)


def differing(first: Run, second: Run) -> list[str]:
    """What else than the answers differs: keys of the spec, lists, weights behind one reference, versions."""
    same = {"groups"} if _ask_same_groups(first, second) else set[str]()
    of_specs = _of_specs(first.spec, second.spec, LABELS_OF_RUN | same)
    return [*of_specs, *_of_model_kinds(first, second), *_of_provenance(first, second)]


def _of_model_kinds(first: Run, second: Run) -> list[str]:
    """Name the kinds of two models of different kinds: one's scores are conditional on other text than the other's."""
    if first.model == second.model:
        return []
    before, after = (run.provenance.get("kind") or kind_of(run.model) for run in (first, second))
    differ = before and after and before != after
    return [f"kind of model ({KINDS.get(before, before)}, then {KINDS.get(after, after)})"] if differ else []


def _ask_same_groups(first: Run, second: Run) -> bool:
    """Return whether both ask the same groups in the same forms, however their specs name them."""
    if first.spec.get("groups") == second.spec.get("groups"):
        return True
    earlier, later = in_shared_sentences(sentence_words(first), sentence_words(second))
    return bool(earlier.groups) and earlier.groups == later.groups


def _of_specs(first: Mapping[str, Any], second: Mapping[str, Any], left_out: Set[str]) -> list[str]:
    keys = [key for key in dict.fromkeys((*first, *second)) if key not in left_out]
    return [_named(key, first.get(key), second.get(key)) for key in keys if first.get(key) != second.get(key)]


def _named(key: str, first: Any, second: Any) -> str:
    """The key; of settings also which ones differ, of lists which ones are no longer the same."""
    if isinstance(first or {}, dict) and isinstance(second or {}, dict):
        earlier, later = first or {}, second or {}
        parts = [name for name in dict.fromkeys((*earlier, *later)) if earlier.get(name) != later.get(name)]
        return f"{key} ({', '.join(parts)})" if parts else key
    before, after = _curated(first), _curated(second)
    changed = [slug for slug in before if slug in after and before[slug] != after[slug]]
    return f"{key} ({', '.join(changed)} edited)" if changed else key


def _curated(sources: Any) -> dict[str, str]:
    """The digest of each curated list, of a key that names some."""
    given = sources if isinstance(sources, list) else []
    return {source["list"]: source["sha256"] for source in given if isinstance(source, dict) and "sha256" in source}


def _of_provenance(first: Run, second: Run) -> list[str]:
    found = []
    if first.model == second.model:
        named = zip(WEIGHTS, ("the model's weights", "the tokenizer"), strict=True)
        found = [what for key, what in named if first.provenance.get(key) != second.provenance.get(key)]
    for key in VERSIONS:
        before, after = first.provenance.get(key), second.provenance.get(key)
        if before != after:
            found.append(f"{key} ({before} before, now {after})")
    return found
