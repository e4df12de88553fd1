"""The generating phase: a masked model generates each name's distractors in each context."""

from collections.abc import Sequence
from typing import Any, cast

import polars as pl

from plumbline.methods.sodapop.sizes import rows, sentences
from plumbline.methods.sodapop.spec import SodapopSpec
from plumbline.spec.banks.contexts import Context
from plumbline.spec.content import Name
from plumbline.spec.errors import InputError, ModelError
from workers.engine.checkpoints.checkpoint import Checkpoint, Kind
from workers.engine.masked import MaskedModel, mask_token_id
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
from workers.probes.sodapop.cells import cell_axes, cell_labels, cells_named
from workers.probes.sodapop.generating import distractors
from workers.probes.sodapop.generating_plan import (
    MOST_ROWS,
    Cell,
    check_spelling,
    check_work,
    in_shards,
    start_of,
)
from workers.probes.sodapop.generating_selection import Distractors, select_distractors
from workers.probes.sodapop.generating_words import Start, Writing, writing_of


class Generating:
    """The first phase, whose model is the spec's `generator`."""

    def reference(self, spec: SodapopSpec) -> str:
        return spec.generator

    def params(self, spec: SodapopSpec) -> dict[str, Any]:
        return spec.generating_params()

    def check(self, spec: SodapopSpec, snapshots: Snapshots, checkpoint: Checkpoint) -> None:
        _starts(_Materials(spec, snapshots), checkpoint)

    def plan(self, spec: SodapopSpec, snapshots: Snapshots, checkpoint: Checkpoint, before: Sequence[Done]) -> Planned:
        """Plan shards of whole cells: {"cells": [[position of the context, position of the name], ...]}."""
        own = _Materials(spec, snapshots)
        starts = _starts(own, checkpoint)
        cells = list(starts)
        costs = [sentences(len(start.words), own.spec.params) for start in starts.values()]
        shards = in_shards([f"{one.before}\x1f{one.text(one.words)}" for one in starts.values()], costs)
        labels = {own.spec.probe, *(one.id for one in own.contexts)}
        labels |= {label for name in own.names for label in (name.name, name.group)}
        return Planned([_shard(own, starts, [cells[index] for index in shard]) for shard in shards], labels)

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
        own = _Materials(spec, snapshots)
        asked = cast("MaskedModel", model)  # check refused every other kind
        writing = writing_of(own.spec.params.variant, asked.tokenizer)
        cells = [Cell(context, name) for context, name in items["cells"]]
        starts = [start_of(own.contexts[cell.context], own.names[cell.name], writing) for cell in cells]
        found = _generated(own, cells, starts, asked, writing, progress)
        return {"distractor": _columns(own, cells, found)}

    def contents(self, spec: SodapopSpec, snapshots: Snapshots, checkpoint: Checkpoint, items: Any) -> Contents:
        own = _Materials(spec, snapshots)
        beginnings = {one.id: (one.context, one.prompt, one.answer) for one in own.contexts}
        return Contents({**cell_axes(own.contexts, own.names), "context": beginnings}, rest=own.cap)

    def labels(self, spec: SodapopSpec, snapshots: Snapshots, items: Any) -> pl.DataFrame:
        own = _Materials(spec, snapshots)
        return cell_labels(own.contexts, own.names, items["cells"])

    def only(self, spec: SodapopSpec, snapshots: Snapshots, items: Any, missing: pl.DataFrame) -> Any:
        own = _Materials(spec, snapshots)
        return {"cells": cells_named(own.contexts, own.names, missing)}


class _Materials:
    """The contexts and names of a spec, and the maximum number of distractors of a cell."""

    def __init__(self, spec: SodapopSpec, snapshots: Snapshots) -> None:
        self.spec = spec
        self.contexts: list[Context] = spec.contexts_of(snapshots)
        self.names: list[Name] = spec.names_of(snapshots)
        self.cap = spec.cap(len(self.contexts))

    def label(self, cell: Cell) -> str:
        return f"{self.contexts[cell.context].id}\x1f{self.names[cell.name].name}"


def _starts(own: _Materials, checkpoint: Checkpoint) -> dict[Cell, Start]:
    """Return each cell's start, checked against the generator. Raises InputError."""
    if checkpoint.kind != Kind.MASKED:
        raise ModelError(
            f"{checkpoint.reference} is of the kind {checkpoint.kind}; the generator of a sodapop audit is a masked"
            " model: choose one, such as bundled:masked-demo."
        )
    mask_token_id(checkpoint)
    writing = writing_of(own.spec.params.variant, checkpoint.tokenizer)
    starts: dict[Cell, Start] = {}
    for number, context in enumerate(own.contexts):
        here = [start_of(context, name, writing) for name in own.names]
        for start in here:
            check_work(context, start, own.spec.params)
        check_spelling(checkpoint.tokenizer, context, own.names, here)
        starts.update({Cell(number, name): start for name, start in enumerate(here)})
    return starts


def _shard(own: _Materials, starts: dict[Cell, Start], cells: list[Cell]) -> ShardPlan:
    inputs = {
        "labels": [[own.contexts[cell.context].id, *_named(own, cell)] for cell in cells],
        "texts": [[starts[cell].before, starts[cell].text(starts[cell].words)] for cell in cells],
        "cap": own.cap,
    }
    return ShardPlan(
        items={"cells": [[cell.context, cell.name] for cell in cells]},
        rows={"distractor": None},
        inputs=inputs,
        expected=sum(rows(len(starts[cell].words), own.spec.params, own.cap) for cell in cells),
    )


def _named(own: _Materials, cell: Cell) -> tuple[str, str]:
    name = own.names[cell.name]
    return name.name, name.group


def _generated(
    own: _Materials,
    cells: Sequence[Cell],
    starts: Sequence[Start],
    model: MaskedModel,
    writing: Writing,
    progress: Progress,
) -> list[Distractors]:
    params = own.spec.params
    expected = [rows(len(start.words), params, own.cap) for start in starts]
    asking = sum(sentences(len(start.words), params) for start in starts)
    levels = distractors(
        model,
        starts,
        writing,
        k=params.k,
        top=params.top,
        keep_shorter=params.keep_shorter or params.variant == "released_code",
        asked=_in_rows(progress, sum(expected), asking),
    )
    return [
        select_distractors(start, found, own.cap, own.spec.seed, own.label(cell))
        for cell, start, found in zip(cells, starts, levels, strict=True)
    ]


def _in_rows(progress: Progress, expected: int, asking: int) -> Progress:
    """Return a progress callback for sentences that reports rows, as far as both can be estimated."""
    done = 0

    def advance(asked: int) -> None:
        nonlocal done
        before, done = done, min(asking, done + asked)
        progress(done * expected // asking - before * expected // asking)

    return advance


def _columns(own: _Materials, cells: Sequence[Cell], found: Sequence[Distractors]) -> Columns:
    """Return the records' columns. Raises InputError if they exceed one shard."""
    sizes = [len(one.texts) for one in found]
    if (size := sum(sizes)) > MOST_ROWS:
        raise InputError(
            f"the answer of context {own.contexts[cells[0].context].id!r} makes {size:,} distractors with one name,"
            f" more than the {MOST_ROWS:,} that fit: lower k or top, or ask about several contexts, whose distractors"
            " are capped by max_distractors."
        )
    each = [cell for cell, size in zip(cells, sizes, strict=True) for _ in range(size)]
    return {
        "probe": [own.spec.probe] * len(each),
        "context": [own.contexts[cell.context].id for cell in each],
        "name": [own.names[cell.name].name for cell in each],
        "group": [own.names[cell.name].group for cell in each],
        "text": [text for one in found for text in one.texts],
        "distance": [distance for one in found for distance in one.distances],
        "log_p": [log_p for one in found for log_p in one.log_p],
    }
