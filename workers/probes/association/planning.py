"""Planning an association run: check every word against the tokenizer, then lay the cells out in shards."""

from typing import Any

from plumbline.spec.association import AssociationSpec, Materials
from plumbline.spec.errors import InputError
from workers.engine.checkpoint import Checkpoint, Kind
from workers.probes.association import causal
from workers.probes.association.asks import Ask, Asker
from workers.probes.association.cells import Cell, all_cells, in_shards
from workers.probes.protocol import Planned, ShardPlan

UNKNOWN = "spelled with the unknown token"


def plan(spec: AssociationSpec, materials: Materials, checkpoint: Checkpoint, asker: Asker) -> Planned:
    """Shards of cells. InputError, naming template and word, for a word that the tokenizer cannot spell."""
    _check_spelling(materials, asker)
    shards = in_shards(all_cells(materials), lambda cell: _block(spec, materials, checkpoint.kind, cell))
    groups, attributes = (group.label for group in materials.groups), (word.text for word in materials.attributes)
    labels = {spec.probe, *materials.templates, *groups, *attributes}
    return Planned([_shard(spec, materials, cells) for cells in shards], labels)


def _check_spelling(materials: Materials, asker: Asker) -> None:
    """Each word once in each template that could change its spelling: all groups, and all attributes."""
    templates, groups, attributes = (
        range(len(words)) for words in (materials.templates, materials.groups, materials.attributes)
    )
    cells: list[Cell] = [(template, group, 0) for template in templates for group in groups]
    cells += [(template, 0, attribute) for template in templates for attribute in attributes]
    for cell, target, prior in zip(cells, asker.targets(cells), asker.priors(cells), strict=True):
        if UNKNOWN in target.fault:
            raise _unspelled(materials, cell, target)
        if len(prior) == 1 and UNKNOWN in prior[0].fault:
            raise _unspelled(materials, cell, prior[0])


def _unspelled(materials: Materials, cell: Cell, ask: Ask) -> InputError:
    template, group, attribute = cell
    return InputError(
        f"template {materials.templates[template]!r} with group {materials.groups[group].label!r} and attribute"
        f" {materials.attributes[attribute].text!r}: {ask.fault}; take the word out or choose another model."
    )


def _block(spec: AssociationSpec, materials: Materials, kind: Kind, cell: Cell) -> str:
    """The text of what a cell shares with others of its block: the context that the model reads once.

    A prior that is a mean over the run's words needs all cells of a template, so then the template is the block.
    """
    template, group, attribute = cell
    text = materials.templates[template]
    prior = getattr(spec, "prior", None)
    if (prior is not None and prior.mean) or (kind == Kind.CAUSAL and prior is None):
        return text
    group_is_context = causal.group_comes_first(text) if kind == Kind.CAUSAL else prior is not None
    word = materials.groups[group].label if group_is_context else materials.attributes[attribute].text
    return f"{text}\x1f{word}"


def _shard(spec: AssociationSpec, materials: Materials, cells: list[Cell]) -> ShardPlan:
    return ShardPlan(items=cells, rows={"association": len(cells)}, inputs=_inputs(spec, materials, cells))


def _inputs(spec: AssociationSpec, materials: Materials, cells: list[Cell]) -> dict[str, Any]:
    """Everything of the words that decides the shard's records; a mean prior rests on all words of the run."""
    groups = [group.model_dump() for group in materials.groups]
    attributes = [attribute.model_dump() for attribute in materials.attributes]
    prior = getattr(spec, "prior", None)
    rests_on_all = prior is None or prior.mean
    return {
        "cells": [
            [materials.templates[template], groups[group], attributes[attribute]]
            for template, group, attribute in cells
        ],
        "prior": prior.model_dump() if prior is not None else None,
        "words": [groups, attributes] if rests_on_all else None,
    }
