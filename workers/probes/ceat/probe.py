"""The CEAT probe: planning by group (or as a whole for two sets), embeddings of draws, cosines and effect sizes."""

import time
from collections.abc import Mapping, Sequence
from typing import Any, cast

import polars as pl

from plumbline.methods.ceat.spec import CeatSpec
from plumbline.spec.errors import InputError
from plumbline.spec.measure import Measure
from plumbline.spec.word_sets import WordSets
from workers.engine.checkpoints.checkpoint import Checkpoint
from workers.engine.embeddings import Contextual
from workers.probes.ceat import summary
from workers.probes.ceat.corpus import corpus_digest, corpus_files, documents
from workers.probes.ceat.drawing import Drawn, draw
from workers.probes.ceat.items import chosen, contents_of, labels_of, overlapping_forms
from workers.probes.ceat.occurrences import Sampled, Term, sample, term_of
from workers.probes.ceat.records import associations, group_effects, set_effect_rows
from workers.probes.model_kinds import require_kind
from workers.probes.protocol import (
    AnyModel,
    Columns,
    Contents,
    Memo,
    Planned,
    Probe,
    Progress,
    Read,
    ShardPlan,
    Snapshots,
)

WHOLE = -1
"""The only item of a run with two sets."""


class CeatProbe:
    def check(self, spec: CeatSpec, snapshots: Snapshots, checkpoint: Checkpoint) -> None:
        require_kind(spec, checkpoint)
        corpus_files(spec.corpus)

    def plan(self, spec: CeatSpec, snapshots: Snapshots, checkpoint: Checkpoint) -> Planned:
        """Plan a shard for each group, because each needs its own sentences; poles are embedded once per worker."""
        self.check(spec, snapshots, checkpoint)
        digest = corpus_digest(corpus_files(spec.corpus))
        sets = spec.sets(snapshots)
        if sets is not None:
            return _planned_sets(spec, sets, digest)
        groups, attributes = spec.of_groups(snapshots)
        pairs = spec.pairs(snapshots)
        words = {"pairs": [pair.name for pair in pairs], "attributes": [attribute.text for attribute in attributes]}
        rows = {"association": len(attributes), "effect": len(pairs)}
        terms = _terms(spec, snapshots)
        shards = [
            ShardPlan(
                {"group": number, "corpus": digest},
                rows,
                {
                    "group": term_of(group).label,
                    "forms": term_of(group).forms,
                    "corpus": digest,
                    **words,
                    **_beside([*term_of(group).forms, *words["attributes"]], terms),
                },
            )
            for number, group in enumerate(groups)
        ]
        labels = {spec.probe, "", *words["pairs"], *words["attributes"], *(group.label for group in groups)}
        return Planned(shards, labels)

    def execute(
        self, spec: CeatSpec, snapshots: Snapshots, items: Any, model: AnyModel, memo: Memo, progress: Progress
    ) -> dict[str, Columns]:
        contextual = cast("Contextual", model)
        sampled = _sampled(spec, snapshots, items["corpus"], memo, progress)
        sets = spec.sets(snapshots)
        if sets is not None:
            words = [word.text for word in (*sets.targets, *sets.attributes)]
            drawn = _drawn(spec, contextual, words, sampled, progress)
            rows = set_effect_rows(spec, sets, drawn)
            sides = ({word.text: drawn[word.text] for word in side} for side in (sets.targets, sets.attributes))
            found = associations(spec, *sides)
        else:
            groups, attributes = spec.of_groups(snapshots)
            texts, label = [word.text for word in attributes], groups[items["group"]].label
            words, pairs = chosen(items, attributes, spec.pairs(snapshots))
            poles = list(dict.fromkeys([*words, *(texts[end] for pair in pairs for end in (pair.left, pair.right))]))
            if memo.get("poles", {}).keys() != set(poles):
                memo["poles"] = _drawn(spec, contextual, poles, sampled, progress)
            size, vectors = spec.params.samples, memo["poles"]
            group = draw(contextual, {label: sampled[_group_key(label)]}, size, spec.seed, progress)[label]
            rows = group_effects(spec, label, group, texts, pairs, vectors)
            found = associations(spec, {label: group}, {word: vectors[word] for word in words})
        progress(len(found["score"]) + len(rows["effect_size"]))
        return {"association": found, "effect": rows}

    def contents(self, spec: CeatSpec, snapshots: Snapshots, checkpoint: Checkpoint, items: Any) -> Contents | None:
        """Return the items' contents, or None for two sets, whose effect sizes depend on all words."""
        if spec.sets(snapshots) is not None:
            return None
        return contents_of(*spec.of_groups(snapshots), spec.pairs(snapshots), items["corpus"])

    def labels(self, spec: CeatSpec, snapshots: Snapshots, items: Any) -> pl.DataFrame:
        groups, attributes = spec.of_groups(snapshots)
        return labels_of(groups[items["group"]].label, attributes, spec.pairs(snapshots))

    def only(self, spec: CeatSpec, snapshots: Snapshots, items: Any, missing: pl.DataFrame) -> Any:
        return {**items, "others": missing["attribute"].to_list()}

    def summarise(self, spec: CeatSpec, snapshots: Snapshots, read: Read) -> list[Measure]:
        return summary.summarise(spec, snapshots, read("association"), read("effect"))


PROBES: dict[str, Probe[Any]] = {"ceat": CeatProbe()}


def _beside(forms: Sequence[str], terms: Sequence[Term]) -> dict[str, list[str]]:
    """Return a part of a shard's inputs, for words of the run that can occupy the same place in a text."""
    found = overlapping_forms(forms, terms)
    return {"beside": found} if found else {}


def _group_key(label: str) -> str:
    return f"group\x1f{label}"


def _planned_sets(spec: CeatSpec, sets: WordSets, digest: str) -> Planned:
    targets, attributes = [word.text for word in sets.targets], [word.text for word in sets.attributes]
    rows = {"association": len(targets) * len(attributes), "effect": spec.params.samples}
    inputs = {
        "targets": [[word.text for word in own] for own in (sets.x, sets.y)],
        "attributes": [[word.text for word in own] for own in (sets.a, sets.b)],
        "names": sets.names,
        "corpus": digest,
    }
    labels = {spec.probe, "", *targets, *attributes, summary.targets_of(sets), sets.contrast}
    return Planned([ShardPlan({"group": WHOLE, "corpus": digest}, rows, inputs)], labels)


def _sampled(
    spec: CeatSpec, snapshots: Snapshots, digest: str, memo: Memo, progress: Progress
) -> Mapping[str, Sampled]:
    """Return the sentences of every word, sampled once per worker and run.

    Raises InputError if the corpus has changed.
    """
    if "sampled" not in memo:
        files = corpus_files(spec.corpus)
        if corpus_digest(files) != digest:
            raise InputError(f"the corpus {spec.corpus} changed since the run was planned: launch a new run.")
        lines = _watched(documents(files), progress)
        ignore = spec.params.case == "ignore"
        memo["sampled"] = sample(lines, _terms(spec, snapshots), spec.params.samples, spec.seed, ignore_case=ignore)
    found: Mapping[str, Sampled] = memo["sampled"]
    return found


def _watched(lines: Any, progress: Progress, seconds: float = 1.0) -> Any:
    """Yield the lines and report progress from time to time, because a corpus may be large."""
    last = time.monotonic()
    for line in lines:
        if (now := time.monotonic()) - last > seconds:
            last = now
            progress(0)
        yield line


def _terms(spec: CeatSpec, snapshots: Snapshots) -> list[Term]:
    """Return the words to look for. A group's key differs from that of an adjective with the same spelling."""
    sets = spec.sets(snapshots)
    if sets is not None:
        return [Term(word, (word,)) for word in dict.fromkeys(w.text for w in (*sets.targets, *sets.attributes))]
    groups, attributes = spec.of_groups(snapshots)
    named = [Term(_group_key(group.label), term_of(group).forms) for group in groups]
    return named + [Term(attribute.text, (attribute.text,)) for attribute in attributes]


def _drawn(
    spec: CeatSpec, model: Contextual, words: Sequence[str], sampled: Mapping[str, Sampled], progress: Progress
) -> dict[str, Drawn]:
    return draw(model, {word: sampled[word] for word in words}, spec.params.samples, spec.seed, progress)
