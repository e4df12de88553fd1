"""Make a projecting variant from a model, words and a text, as a folder of the model store."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

import numpy as np

from plumbline.spec.errors import InputError
from plumbline.spec.reference import ModelReference
from plumbline.spec.variant import METHOD_TITLES, Part, Text, VariantCard
from workers.debiasing.corpus import Corpus, by_group, read_corpus
from workers.debiasing.fitting import Fitted, Material, Stage, fit
from workers.debiasing.recipe import Recipe
from workers.debiasing.words import GroupWords
from workers.engine.checkpoints.checkpoint import Checkpoint
from workers.engine.checkpoints.folders import atomic_folder
from workers.engine.checkpoints.variants import CARD, PROJECTION, variant_folder
from workers.engine.loading import Device, load_any, locate
from workers.engine.projecting import layers
from workers.engine.projection import Projection, check_kind, projected, write_projection


@dataclass(frozen=True)
class Order:
    """The order of a variant: its name, its model and its material."""

    slug: str
    reference: str
    recipe: Recipe
    words: GroupWords
    corpus: Path
    templates: Sequence[str] = ()
    lists: Sequence[Part] = ()
    """The curated lists of the words and templates."""
    device: Device = "auto"


def make(order: Order, stage: Stage) -> VariantCard:
    """Fit the projection, and write it with its card into the store. Raises InputError before the model loads."""
    folder = variant_folder(order.slug)
    if folder.exists():
        raise InputError(f"variant:{order.slug} is in the model store already: choose another --name")
    parent = locate(order.reference)
    if parent.server is not None:
        raise InputError(f"{order.reference} is behind a server: a variant is made of weights in files.")
    check_kind(parent)
    corpus = read_corpus(order.corpus)
    sentences = by_group(corpus, order.words)
    model = load_any(parent, device=order.device)
    _check_layer(model, order)
    found = fit(model, Material(order.words, sentences, order.templates), order.recipe, stage)
    return _write(order, parent, corpus, found, folder)


def _check_layer(model: object, order: Order) -> None:
    layer = order.recipe.layer
    if layer is not None and not 0 <= layer <= (last := layers(getattr(model, "model", model))):
        raise InputError(f"{order.reference} has the layers 0 to {last}, not {layer}: choose one with --layer")


def _write(order: Order, parent: Checkpoint, corpus: Corpus, found: Fitted, folder: Path) -> VariantCard:
    """Return the card; folder and card appear together."""
    source = f"{METHOD_TITLES[order.recipe.method]} with {order.words.slug}, of {order.reference}"
    with atomic_folder(folder) as target:
        write_projection(target / PROJECTION, _projection(found, order.recipe), parent.digest, source)
        digest = projected(parent, target / PROJECTION).digest
        card = _card(order, parent, corpus, found, digest)
        (target / CARD).write_text(card.model_dump_json(indent=1) + "\n", encoding="utf-8")
    return card


def _projection(found: Fitted, recipe: Recipe) -> Projection:
    return Projection(found.map.matrix.astype(np.float32), found.map.offset.astype(np.float32), recipe.layer)


def _card(order: Order, parent: Checkpoint, corpus: Corpus, found: Fitted, digest: str) -> VariantCard:
    recipe = order.recipe
    rank = round(float(np.linalg.matrix_rank(found.map.matrix, tol=1e-6)))
    return VariantCard(
        slug=order.slug,
        method=recipe.method,
        parent=ModelReference.parse(order.reference).at(parent.revision),
        parent_digest=parent.digest,
        digest=digest,
        layer=recipe.layer,
        seed=recipe.seed,
        lists=list(order.lists),
        text=Text(name=corpus.path.name, sha256=corpus.sha256, sentences=found.sentences),
        params=dict(recipe.params),
        found={"before": asdict(found.before), "after": asdict(found.after), "rank": rank},
        versions={name: version(name) for name in ("torch", "transformers", "numpy", "scikit-learn")},
    )
