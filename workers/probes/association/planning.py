"""Planning of an association run: check every word against the tokenizer, then divide the cells into shards."""

from typing import Any

from plumbline.spec.association import AssociationSpec
from plumbline.spec.association_kinds import group_comes_first
from plumbline.spec.errors import InputError
from plumbline.spec.materials import Materials
from plumbline.spec.prior import Prior
from plumbline.spec.self_debias import SelfDebiasing
from workers.engine.checkpoints.checkpoint import Checkpoint, Kind
from workers.engine.sentences import UNKNOWN
from workers.probes.association.askers import chat_prefix
from workers.probes.cell_scores.asks import Ask, Asker
from workers.probes.cell_scores.cells import (
    Cell,
    all_cells,
    cells_of,
    in_shards,
    neutral_sentence,
    same_prior,
    sentence,
)
from workers.probes.protocol import Planned, ShardPlan
from workers.probes.self_debias import with_descriptions


def plan(
    spec: AssociationSpec,
    materials: Materials,
    checkpoint: Checkpoint,
    asker: Asker,
    asked: SelfDebiasing | None = None,
) -> Planned:
    """Return shards of cells, `asked` with Self-Debias or plainly.

    Raises InputError, naming template and word, if the tokenizer cannot spell a word.
    """
    check_spelling(materials, asker)
    shards = in_shards(all_cells(materials), lambda cell: _block(spec, materials, checkpoint.kind, cell))
    groups, attributes = (group.label for group in materials.groups), (word.text for word in materials.attributes)
    labels = {spec.probe, *materials.templates, *groups, *attributes}
    neutral = _neutral_texts(spec, materials)
    planned = [_shard(spec, materials, checkpoint, cells, neutral) for cells in shards]
    return Planned([with_descriptions(shard, asked) for shard in planned], labels)


def check_spelling(materials: Materials, asker: Asker) -> None:
    """Check each word in each template that could change its spelling: all groups, and all attributes.

    Raises InputError, naming template and word, if the tokenizer cannot spell a word.
    """
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


def rests_on_all(spec: AssociationSpec, kind: Kind) -> bool:
    """Return whether the prior is a mean over the run's words, so that each item depends on all of them."""
    prior = prior_of(spec)
    return prior.mean if prior is not None else kind == Kind.CAUSAL


def prior_of(spec: AssociationSpec) -> Prior | None:
    """Return the spec's prior, or None for a probe that defines its own."""
    return getattr(spec, "prior", None)


def _block(spec: AssociationSpec, materials: Materials, kind: Kind, cell: Cell) -> str:
    """Return the text that a cell shares with the others of its block: the context that the model reads once."""
    template, group, attribute = cell
    text = materials.templates[template]
    if rests_on_all(spec, kind):
        return text
    group_is_context = group_comes_first(text) if kind == Kind.CAUSAL else prior_of(spec) is not None
    word = materials.groups[group].label if group_is_context else materials.attributes[attribute].text
    return f"{text}\x1f{word}"


def _shard(
    spec: AssociationSpec, materials: Materials, checkpoint: Checkpoint, cells: list[Cell], neutral: dict[Cell, str]
) -> ShardPlan:
    inputs = _inputs(spec, materials, checkpoint, cells, neutral)
    return ShardPlan(items=cells, rows={"association": len(cells)}, inputs=inputs)


def _inputs(
    spec: AssociationSpec, materials: Materials, checkpoint: Checkpoint, cells: list[Cell], neutral: dict[Cell, str]
) -> dict[str, Any]:
    """Return all texts that decide the shard's records: labels, rendered sentences, and the prior."""
    prior, params = prior_of(spec), spec.scoring_params()
    return {
        "labels": [
            [materials.templates[template], materials.groups[group].label, materials.attributes[attribute].text]
            for template, group, attribute in cells
        ],
        # dataclasses.asdict copies deeply, which took two fifths of the planning.
        "sentences": [{"text": one.text, "spans": one.spans} for one in (sentence(materials, cell) for cell in cells)],
        "prior": prior.model_dump() if prior is not None else None,
        "neutral": [neutral.get(same_prior(materials, cell), "") for cell in cells],
        "mean over": _whole_templates(materials, cells) if rests_on_all(spec, checkpoint.kind) else None,
        "prefix": chat_prefix(checkpoint, params["chat_prompt"]) if params["format"] == "chat" else "",
    }


def _whole_templates(materials: Materials, cells: list[Cell]) -> list[str]:
    templates = dict.fromkeys(template for template, _, _ in cells)
    return [sentence(materials, cell).text for template in templates for cell in cells_of(materials, template)]


def _neutral_texts(spec: AssociationSpec, materials: Materials) -> dict[Cell, str]:
    """Return the prior's sentence by cell of `same_prior`; with a neutral attribute, the prior itself defines it."""
    prior = prior_of(spec)
    if prior is None or prior.mean:
        return {}
    distinct = dict.fromkeys(same_prior(materials, cell) for cell in all_cells(materials))
    return {cell: neutral_sentence(materials, cell, prior).text for cell in distinct}
