"""Cells of a shard: each is a name in a context, with its distractors in the order of their pairing."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

import polars as pl

from plumbline.methods.sodapop.spec import SodapopSpec
from plumbline.spec.banks.contexts import Context, filled
from plumbline.spec.content import Name
from workers.probes.protocol import Memo, Read, Snapshots
from workers.probes.sodapop.pairing import RIGHT, shuffled
from workers.probes.sodapop.pools import for_name, pool_of


@dataclass(frozen=True, slots=True)
class Material:
    """The words of a run in the order of its spec; items of shards refer to them by position."""

    contexts: list[Context]
    names: list[Name]

    @classmethod
    def of(cls, spec: SodapopSpec, snapshots: Snapshots) -> "Material":
        return cls(spec.contexts_of(snapshots), spec.names_of(snapshots))


@dataclass(frozen=True, slots=True)
class PairedCell:
    """A name in a context, with its distractors in the order in which they are paired."""

    context: Context
    name: Name
    texts: Sequence[str]

    @property
    def options(self) -> list[str]:
        """The options, the right answer first."""
        return [filled(self.context.answer, self.name.name), *self.texts]

    @property
    def places(self) -> range:
        return range(RIGHT, len(self.texts))


def own_cells(spec: SodapopSpec, material: Material, items: Any, read: Read) -> list[PairedCell]:
    """Return each name with its own distractors (the paper)."""
    found = read("distractor", shard=[items["shard"]]).partition_by("context", "name", as_dict=True)
    cells = [(material.contexts[context], material.names[name]) for context, name in items["cells"]]
    return [_own(spec, context, name, found.get((context.id, name.name))) for context, name in cells]


def _own(spec: SodapopSpec, context: Context, name: Name, found: pl.DataFrame | None) -> PairedCell:
    texts = found["text"].to_list() if found is not None else []
    order = shuffled(texts, spec.seed, context.id, name.name)
    return PairedCell(context, name, [texts[index] for index in order])


def shared_cells(spec: SodapopSpec, material: Material, items: Any, memo: Memo, read: Read) -> list[PairedCell]:
    """Return each name with the distractors of all names (ours)."""
    context = material.contexts[items["context"]]
    pool = _pool(spec, context, spec.cap(len(material.contexts)), memo, read)
    names = [material.names[name] for name in items["names"]]
    return [PairedCell(context, name, for_name(pool, name.name)) for name in names]


def _pool(spec: SodapopSpec, context: Context, most: int | None, memo: Memo, read: Read) -> tuple[str, ...]:
    """Return the context's pool, cached for the next shard, which often has the same context."""
    known, pool = memo.get("pool", ("", ()))
    if known != context.id:
        generated = read("distractor", context=[context.id]).select("name", "text").iter_rows()
        pool = pool_of(context, generated, spec.seed, most)
        memo["pool"] = context.id, pool
    return cast("tuple[str, ...]", pool)


def in_blocks(cells: Iterable[PairedCell], most: int) -> Iterator[list[PairedCell]]:
    """Yield whole cells in blocks of about `most` options, at least one cell each."""
    block: list[PairedCell] = []
    size = 0
    for cell in cells:
        if block and size + len(cell.places) > most:
            yield block
            block, size = [], 0
        block.append(cell)
        size += len(cell.places)
    if block:
        yield block
