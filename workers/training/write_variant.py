"""A trained variant on disk: its model as a folder that loads like any other, and its card."""

import json
import shutil
from importlib.metadata import version
from pathlib import Path
from typing import Any

from plumbline.spec.reference import ModelReference
from plumbline.spec.variant import Text, VariantCard
from workers.debiasing.corpus import Documents
from workers.engine.checkpoints.checkpoint import NAMES_SEEN, TOKENIZER_FILES, TOKENIZER_SETTINGS, Checkpoint
from workers.engine.checkpoints.folders import atomic_folder
from workers.engine.checkpoints.silence import quiet
from workers.engine.checkpoints.variants import CARD, WEIGHTS, variant_folder
from workers.engine.projection import inspect_projected, keep_projections
from workers.training.pretraining import Pretraining
from workers.training.training_order import TrainingOrder
from workers.training.what_is_left import what_is_left

LIBRARIES = ("torch", "transformers", "tokenizers", "numpy")


def write_variant(
    order: TrainingOrder, parent: Checkpoint, documents: Documents, training: Pretraining, replaced: dict[str, float]
) -> VariantCard:
    """Return the card; model and card appear together. `replaced`: dropout settings that the config gets back."""
    raised = {name: getattr(training.model.config, name) for name in replaced}
    for name, value in replaced.items():
        setattr(training.model.config, name, value)
    with atomic_folder(variant_folder(order.slug)) as target:
        _write_model(training, parent, target / WEIGHTS)
        own = inspect_projected(f"variant:{order.slug}", target / WEIGHTS).digest
        card = _card(order, parent, own, documents, training, raised)
        (target / CARD).write_text(card.model_dump_json(indent=1) + "\n", encoding="utf-8")
    return card


def _write_model(training: Pretraining, parent: Checkpoint, folder: Path) -> None:
    """Write weights and config; the tokenizer's files are the parent's, byte by byte."""
    with quiet():
        training.model.save_pretrained(folder)
    for name in (*TOKENIZER_FILES, *TOKENIZER_SETTINGS):
        if (parent.folder / name).is_file():
            shutil.copyfile(parent.folder / name, folder / name)
    keep_projections(parent.projections, folder)
    names = sorted({*training.material.names_seen, *(parent.names_seen or ())})
    (folder / NAMES_SEEN).write_text(json.dumps(names), encoding="utf-8")


def _losses(training: Pretraining) -> dict[str, Any]:
    after = training.evaluated()
    before = training.before or after
    return {"before": before.value, "after": after.value, "tokens": after.tokens, "passages": after.passages}


def _exchanges(training: Pretraining) -> dict[str, Any]:
    material, record = training.material, training.material.record
    if training.recipe.method != "cda":
        return {}
    return {
        "counterfactual": material.counterfactual,
        "swapped": record.by_word(),
        "ambiguous": dict(record.ambiguous.most_common()),
        "without_counterpart": dict(record.without_counterpart.most_common()),
    }


def _card(
    order: TrainingOrder,
    parent: Checkpoint,
    own: str,
    documents: Documents,
    training: Pretraining,
    raised: dict[str, float],
) -> VariantCard:
    return VariantCard(
        slug=order.slug,
        method=order.recipe.method,
        parent=ModelReference.parse(order.reference).at(parent.revision),
        parent_digest=parent.digest,
        digest=own,
        seed=order.recipe.seed,
        lists=list(order.lists),
        text=Text(name=documents.path.name, sha256=documents.sha256, sentences=len(training.material.learnt)),
        params={**order.recipe.params, "threads": training.identity["threads"], **raised},
        found={"loss": _losses(training), **_exchanges(training), **what_is_left(order, parent, training.model)},
        versions={name: version(name) for name in LIBRARIES},
    )
