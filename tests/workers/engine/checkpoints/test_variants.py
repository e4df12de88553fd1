"""Variants in the model store: found by name, held against their cards."""

import json
from pathlib import Path

import pytest

from plumbline.spec.errors import ModelError
from plumbline.spec.variant import Text, VariantCard
from tests.workers.engine.test_projecting import some_projection
from tests.workers.tiny import save_tiny_bert
from workers.engine.checkpoints.checkpoint import Kind
from workers.engine.checkpoints.variants import CARD, PROJECTION, variant_folder
from workers.engine.loading import locate, provenance
from workers.engine.projection import projected, write_projection


@pytest.fixture(autouse=True)
def _store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODEL_STORE", str(tmp_path / "store"))


@pytest.fixture
def parent(tmp_path: Path) -> Path:
    return save_tiny_bert(tmp_path / "parent", seed=1)


def stored(parent: str, slug: str = "fair") -> VariantCard:
    """Put a variant of the parent into the store."""
    folder = variant_folder(slug)
    folder.mkdir(parents=True)
    of = locate(parent)
    write_projection(folder / PROJECTION, some_projection(), of.digest, slug)
    card = VariantCard(
        slug=slug,
        method="leace",
        parent=parent,
        parent_digest=of.digest,
        digest=projected(of, folder / PROJECTION).digest,
        text=Text(name="text.txt", sha256="0" * 64, sentences=3),
    )
    (folder / CARD).write_text(card.model_dump_json(), encoding="utf-8")
    return card


def test_a_variant_is_its_parent_with_a_projection_and_a_digest_of_its_own(parent: Path) -> None:
    card = stored(f"path:{parent}")
    found = locate("variant:fair")
    assert (found.reference, found.kind, found.folder) == ("variant:fair", Kind.MASKED, parent)
    assert found.digest == card.digest != locate(f"path:{parent}").digest
    assert found.note == f"LEACE, of path:{parent}"
    assert provenance(found)["digest"] == card.digest


def test_a_variant_of_a_variant_has_both_projections(parent: Path) -> None:
    stored(f"path:{parent}")
    stored("variant:fair", "fairer")
    assert len(locate("variant:fairer").projections) == 2


def test_a_store_without_the_variant_is_named_with_the_remedy() -> None:
    with pytest.raises(ModelError, match=r"variant:fair is not in the model store .*store/variants: set MODEL_STORE"):
        locate("variant:fair")


def test_a_parent_with_other_weights_is_refused(parent: Path) -> None:
    stored(f"path:{parent}")
    save_tiny_bert(parent, seed=2)
    with pytest.raises(ModelError, match=r"variant:fair was made for other weights of path:.*make a variant"):
        locate("variant:fair")


def test_a_projection_that_is_not_the_cards_is_refused(parent: Path) -> None:
    stored(f"path:{parent}")
    other = some_projection(layer=1)
    write_projection(variant_folder("fair") / PROJECTION, other, locate(f"path:{parent}").digest, "fair")
    with pytest.raises(ModelError, match="are not those of its card"):
        locate("variant:fair")


def test_a_damaged_card_is_refused(parent: Path) -> None:
    stored(f"path:{parent}")
    (variant_folder("fair") / CARD).write_text(json.dumps({"slug": "fair"}), encoding="utf-8")
    with pytest.raises(ModelError, match=r"the card of variant:fair in .* is damaged"):
        locate("variant:fair")
