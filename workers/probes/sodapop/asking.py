"""The asking phase of SODAPOP: options are scored once and form questions, or the model answers each in text."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import polars as pl

from plumbline.methods.sodapop.spec import SodapopSpec
from plumbline.spec.answers.worked_examples import worked_in
from plumbline.spec.banks.contexts import filled
from plumbline.spec.errors import InputError
from workers.engine.checkpoints.checkpoint import Checkpoint, Kind
from workers.engine.multiple_choice import Pair
from workers.engine.spelling import spell
from workers.probes.chat_replies import ChatModel
from workers.probes.protocol import (
    AnyModel,
    Columns,
    Contents,
    Done,
    Memo,
    Planned,
    Progress,
    Read,
    ShardPlan,
    Snapshots,
)
from workers.probes.sodapop.answers import Records
from workers.probes.sodapop.cells import cell_axes, cell_labels, cells_named
from workers.probes.sodapop.options import Asker, asker_of, check_answers, check_kind, first_text
from workers.probes.sodapop.paired_cells import Material, PairedCell, in_blocks, own_cells, shared_cells
from workers.probes.sodapop.pairing import Floats
from workers.probes.sodapop.text_asking import asked_once, in_text, labels_of_answers

AT_ONCE = 1 << 15
"""Maximum number of options that the model gets at a time."""
SHARED_ROWS = 1 << 15
"""Maximum rows of a shard with a shared pool, unless a single name has more."""
MOST_ROWS = 1 << 20
"""The number of ids of a shard."""


class Asking:
    """The phase in which the model under audit answers, planned from the shards of generated distractors."""

    def reference(self, spec: SodapopSpec) -> str:
        return spec.model

    def params(self, spec: SodapopSpec) -> dict[str, Any]:
        return spec.asking_params()

    def check(self, spec: SodapopSpec, snapshots: Snapshots, checkpoint: Checkpoint) -> None:
        check_kind(spec, checkpoint)
        material = Material.of(spec, snapshots)
        check_answers(spec, checkpoint, material.contexts, [one.name for one in material.names])

    def plan(self, spec: SodapopSpec, snapshots: Snapshots, checkpoint: Checkpoint, before: Sequence[Done]) -> Planned:
        self.check(spec, snapshots, checkpoint)
        material = Material.of(spec, snapshots)
        if spec.params.pool == "shared":
            shards = list(_shared_shards(spec, material, checkpoint.kind, before))
        else:
            shards = [_own_shard(material, checkpoint.kind, done) for done in before]
        labels = {spec.probe, *(one.id for one in material.contexts)}
        if spec.in_text():
            shards = asked_once(shards, spec.worked_examples(snapshots))
            labels |= labels_of_answers(spec.params)
        return Planned(shards, labels | {label for one in material.names for label in (one.name, one.group)})

    def execute(
        self,
        spec: SodapopSpec,
        snapshots: Snapshots,
        items: Any,
        model: AnyModel,
        memo: Memo,
        progress: Progress,
        read: Read,
    ) -> dict[str, Columns]:
        material = Material.of(spec, snapshots)
        if spec.params.pool == "shared":
            cells = shared_cells(spec, material, items, memo, read)
        else:
            cells = own_cells(spec, material, items, read)
        _check_size(cells)
        if isinstance(model, ChatModel):
            return in_text(spec, model, in_blocks(cells, AT_ONCE), progress, worked_in(items))
        names = list(dict.fromkeys(cell.name.name for cell in cells))
        name_tokens = {one.word: len(one.pieces) for one in spell(model.checkpoint.tokenizer, names)}
        asker, records = asker_of(model, spec), Records(spec.probe, name_tokens)
        for block in in_blocks(cells, AT_ONCE):
            for cell, logits, reasons in _answered(asker, model.checkpoint.kind, block, progress):
                records.add_scored(cell, logits, reasons)
        progress(len(records.tally["word"]))
        return {"answer": records.answer, "tally": records.tally}

    def contents(self, spec: SodapopSpec, snapshots: Snapshots, checkpoint: Checkpoint, items: Any) -> Contents | None:
        """Return the contents; a shared pool depends on all names. Answers in text are never used again."""
        if spec.in_text():
            return None
        material = Material.of(spec, snapshots)
        axes = cell_axes(material.contexts, material.names)
        everybody = axes["name"] if spec.params.pool == "shared" else None
        return Contents(axes, rest=(spec.cap(len(material.contexts)), everybody))

    def labels(self, spec: SodapopSpec, snapshots: Snapshots, items: Any) -> pl.DataFrame:
        material = Material.of(spec, snapshots)
        return cell_labels(material.contexts, material.names, _places(items))

    def only(self, spec: SodapopSpec, snapshots: Snapshots, items: Any, missing: pl.DataFrame) -> Any:
        material = Material.of(spec, snapshots)
        cells = cells_named(material.contexts, material.names, missing)
        return {**items, **({"cells": cells} if "cells" in items else {"names": [name for _, name in cells]})}


def _places(items: Any) -> list[tuple[int, int]]:
    """Return context and name of each cell of a shard, by position."""
    if "cells" in items:
        return [(context, name) for context, name in items["cells"]]
    return [(items["context"], name) for name in items["names"]]


def _own_shard(material: Material, kind: Kind, done: Done) -> ShardPlan:
    cells = [(context, name) for context, name in done.items["cells"]]
    rows = done.rows["distractor"] + len(cells)
    inputs = {"after": done.key, "cells": [_input(material, kind, *cell) for cell in cells]}
    items = {"shard": done.number, "cells": cells}
    return ShardPlan(items, {"answer": rows, "tally": None}, inputs, expected=_words_of(rows))


def _shared_shards(spec: SodapopSpec, material: Material, kind: Kind, before: Sequence[Done]) -> Iterator[ShardPlan]:
    """Yield shards of some names of one context, each of which depends on all distractors of the context."""
    most = spec.cap(len(material.contexts))
    for context in range(len(material.contexts)):
        holding = [done for done in before if any(one == context for one, _ in done.items["cells"])]
        size = min(sum(done.rows["distractor"] for done in holding), most or MOST_ROWS) + 1
        after = sorted(done.key for done in holding)
        for names in _in_parts(len(material.names), max(1, SHARED_ROWS // size)):
            cells = [_input(material, kind, context, name) for name in names]
            items = {"context": context, "names": names}
            inputs = {"after": after, "most": most, "cells": cells}
            yield ShardPlan(items, {"answer": None, "tally": None}, inputs, expected=size * len(names))


def _in_parts(count: int, most: int) -> list[list[int]]:
    return [list(range(start, min(start + most, count))) for start in range(0, count, most)]


def _input(material: Material, kind: Kind, context: int, name: int) -> list[str]:
    of, who = material.contexts[context], material.names[name]
    return [of.id, who.name, who.group, first_text(of, who.name, kind), filled(of.answer, who.name)]


def _words_of(rows: int) -> int:
    """Return an estimate of the number of words in this number of distractors."""
    return rows // 4


def _check_size(cells: Sequence[PairedCell]) -> None:
    """Raise InputError if there are more options than a shard has ids, which can happen without a cap."""
    if (rows := sum(len(cell.places) for cell in cells)) > MOST_ROWS:
        raise InputError(
            f"context {cells[0].context.id!r} makes {rows} options for {len(cells)} names, more than the"
            f" {MOST_ROWS} of a shard: lower params.k or params.top, or ask about more than one context with"
            " params.max_distractors."
        )


def _answered(
    asker: Asker, kind: Kind, block: Sequence[PairedCell], progress: Progress
) -> Iterator[tuple[PairedCell, Floats, list[str]]]:
    """Score the options of all cells together, then yield them by cell."""
    asked = [_pairs(cell, kind) for cell in block]
    scores = asker.scores([pair for some in asked for pair in some], progress)
    for cell, pairs, own in zip(block, asked, np.split(scores, np.cumsum([len(some) for some in asked])), strict=False):
        yield cell, own, _reasons(asker, pairs, own)


def _pairs(cell: PairedCell, kind: Kind) -> list[Pair]:
    first = first_text(cell.context, cell.name.name, kind)
    return [(first, option) for option in cell.options]


def _reasons(asker: Asker, pairs: Sequence[Pair], scores: Floats) -> list[str]:
    """Return why an option has no score; empty if it has one."""
    reasons = [""] * len(pairs)
    without = np.flatnonzero(np.isnan(scores)).tolist()
    for index, fault in zip(without, asker.faults([pairs[index] for index in without]) if without else [], strict=True):
        reasons[index] = fault
    return reasons
