"""Variants are made of small models, and then answer as models under audit."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from plumbline.spec.errors import InputError, ModelError
from tests.workers.debiasing.test_words import ENTRIES
from tests.workers.tiny import save_tiny_bert, save_tiny_multiple_choice
from workers.debiasing.making import Order, make
from workers.debiasing.recipe import METHODS, Projecting, Recipe
from workers.debiasing.states import sentence_states
from workers.debiasing.words import GroupWords
from workers.engine.checkpoints.variants import PROJECTION, variant_folder
from workers.engine.loading import load_any, locate
from workers.engine.projection import read_projection

TEXTS = ("The {} is {} and warm", "Most of the {} were {} people", "In all {} is {} , a poor person")
FILLERS = [f"{letter}{other}" for letter in "abcdefg" for other in "hijklmn"]


@pytest.fixture(autouse=True)
def _store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODEL_STORE", str(tmp_path / "store"))


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """150 sentences about women, as many about men, and as many about neither."""
    lines = [text.format(word, filler) for word in ("woman", "man", "doll") for text in TEXTS for filler in FILLERS]
    (tmp_path / "text.txt").write_text("\n".join(lines), encoding="utf-8")
    return tmp_path / "text.txt"


def stage(name: str, total: int) -> Callable[[int], None]:
    return lambda done: None


def order(model: Path, corpus: Path, method: Projecting = "leace", slug: str = "fair", **recipe: object) -> Order:
    words = GroupWords.of("gender", ENTRIES)
    return Order(slug, f"path:{model}", Recipe(method, classifiers=3, **recipe), words, corpus)  # type: ignore[arg-type]


@pytest.mark.parametrize("method", METHODS)
def test_each_method_makes_a_variant_that_loads(method: Projecting, corpus: Path, tmp_path: Path) -> None:
    model = save_tiny_bert(tmp_path / "model", seed=1)
    card = make(order(model, corpus, method), stage)
    found = locate("variant:fair")
    assert found.digest == card.digest != locate(f"path:{model}").digest
    sentences = ["the woman is warm", "the man is poor"]
    projection = read_projection(variant_folder("fair") / PROJECTION)
    before = sentence_states(load_any(locate(f"path:{model}"), device="cpu"), sentences)
    after = sentence_states(load_any(found, device="cpu"), sentences)
    assert np.allclose(after, before @ projection.matrix.T + projection.offset, atol=1e-4)
    assert not np.allclose(after, before, atol=1e-3)


def test_the_card_says_what_a_classifier_reads_before_and_after(corpus: Path, tmp_path: Path) -> None:
    card = make(order(save_tiny_bert(tmp_path / "model", seed=1), corpus), stage)
    assert card.found["before"]["accuracy"] > 0.9
    assert card.found["after"]["accuracy"] < 0.65
    assert card.found["after"]["majority"] == pytest.approx(0.5, abs=0.05)
    assert card.found["rank"] == 31
    assert card.text.sentences == 2 * 147


def test_equal_orders_give_equal_digests(corpus: Path, tmp_path: Path) -> None:
    model = save_tiny_multiple_choice(tmp_path / "model", seed=1)
    first = make(order(model, corpus), stage)
    second = make(order(model, corpus, slug="again"), stage)
    other = make(order(model, corpus, slug="other", seed=3, most=60), stage)
    assert first.digest == second.digest != other.digest


def test_a_variant_of_a_variant_can_be_made(corpus: Path, tmp_path: Path) -> None:
    model = save_tiny_bert(tmp_path / "model", seed=1)
    make(order(model, corpus), stage)
    words = GroupWords.of("gender", ENTRIES)
    recipe = Recipe("sentence_debias", layer=1)
    card = make(Order("fairer", "variant:fair", recipe, words, corpus), stage)
    assert (card.parent, card.layer) == ("variant:fair", 1)
    assert len(locate("variant:fairer").projections) == 2


def test_nothing_is_left_of_an_order_that_is_refused(corpus: Path, tmp_path: Path) -> None:
    model = save_tiny_bert(tmp_path / "model", seed=1)
    with pytest.raises(InputError, match="has the layers 0 to 2, not 9"):
        make(order(model, corpus, layer=9), stage)
    assert not variant_folder("fair").exists()


def test_a_name_is_taken_once(corpus: Path, tmp_path: Path) -> None:
    model = save_tiny_bert(tmp_path / "model", seed=1)
    make(order(model, corpus), stage)
    with pytest.raises(InputError, match="variant:fair is in the model store already"):
        make(order(model, corpus), stage)


def test_a_model_without_states_is_refused(corpus: Path, tmp_path: Path) -> None:
    vectors = tmp_path / "vectors.txt"
    vectors.write_text("woman 1 0\nman 0 1\n", encoding="utf-8")
    with pytest.raises(ModelError, match="of the kind static, whose states cannot be projected"):
        make(order(vectors, corpus), stage)
