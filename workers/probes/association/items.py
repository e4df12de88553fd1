"""The content of each item of an association run, by which records of earlier runs are found."""

from collections.abc import Callable, Sequence
from typing import Any

import polars as pl

from plumbline.spec.association import AssociationSpec
from plumbline.spec.association_kinds import group_comes_first
from plumbline.spec.materials import Materials
from plumbline.spec.self_debias import SelfDebiasing
from plumbline.spec.sentences import attribute_word, group_word
from workers.engine.checkpoints.checkpoint import Kind
from workers.probes.association.planning import prior_of, rests_on_all
from workers.probes.cell_scores.cells import Cell
from workers.probes.protocol import Contents

LABELS = ("template", "group", "attribute")


def contents_of(spec: AssociationSpec, materials: Materials, kind: Kind, asked: SelfDebiasing | None) -> Contents:
    """Return the words in all forms that templates may use, and the prior; for a mean prior, each template's words.

    With Self-Debias, also the descriptions.
    """
    groups = {group.label: group_word(group) for group in materials.groups}
    attributes = {attribute.text: attribute_word(attribute) for attribute in materials.attributes}

    def averaged(template: str) -> list[Any]:
        over_groups = kind != Kind.CAUSAL or group_comes_first(template)
        return list((groups if over_groups else attributes).values())

    mean: Callable[[str], list[Any]] = averaged if rests_on_all(spec, kind) else lambda _: []
    axes: dict[str, dict[str, Any]] = {
        "template": {template: mean(template) for template in materials.templates},
        "group": groups,
        "attribute": attributes,
    }
    return Contents(axes, rest=prior_of(spec) if asked is None else (prior_of(spec), asked))


def labels_of(materials: Materials, cells: Sequence[Cell]) -> pl.DataFrame:
    """Return each cell's labels, in order."""
    texts = (materials.templates, [one.label for one in materials.groups], [one.text for one in materials.attributes])
    columns = zip(LABELS, texts, zip(*cells, strict=True), strict=True)
    return pl.DataFrame({name: [words[place] for place in places] for name, words, places in columns})


def cells_named(materials: Materials, labels: pl.DataFrame) -> list[Cell]:
    """Return the cells of these labels, in order."""
    texts = (materials.templates, [one.label for one in materials.groups], [one.text for one in materials.attributes])
    template, group, attribute = ({word: place for place, word in enumerate(own)} for own in texts)
    return [(template[a], group[b], attribute[c]) for a, b, c in labels.select(LABELS).iter_rows()]
