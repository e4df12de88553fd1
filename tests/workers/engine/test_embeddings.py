"""Embeddings: the final layer at a word's last subword, whatever the batch; encoders; word vectors from text files."""

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from plumbline.spec.errors import ModelError
from tests.workers.engine.conftest import SMALL, CausalLoader, MaskedLoader, save_model
from workers.engine.checkpoints.checkpoint import Kind
from workers.engine.embeddings import EncoderModel, Place, embeddings, last_subword
from workers.engine.loading import load, load_any, locate
from workers.engine.sentences import Sentence, encode
from workers.engine.word_vectors import StaticVectors

TEXTS = ["All women are powerful.", "Most people, the doctor said, are self-reliant and kind.", "Kind men are warm."]


def places(tokenizer: Any) -> list[Place]:
    sentences = [Sentence(text, ((text.index("are"), text.index("are") + 3),)) for text in TEXTS]
    return [last_subword(one) for one in encode(tokenizer, sentences)]


@pytest.mark.parametrize("family", ["bert", "roberta", "deberta", "modernbert", "xlnet"])
def test_masked_models_give_their_final_states_whatever_the_batch(family: str, masked: MaskedLoader) -> None:
    _agree(masked(family))


@pytest.mark.parametrize("family", ["gpt2", "llama", "mistral-window", "bloom"])
def test_causal_models_too(family: str, causal: CausalLoader) -> None:
    _agree(causal(family))


def _agree(model: Any) -> None:
    asked = places(model.tokenizer)
    together = embeddings(model, asked)
    for place, vector in zip(asked, together, strict=True):
        with torch.inference_mode():
            plain = model.model(input_ids=torch.tensor([place.ids]), output_hidden_states=True).hidden_states[-1]
        assert vector == pytest.approx(plain[0, place.position].numpy(), abs=1e-4)
        assert embeddings(model, [place])[0] == pytest.approx(vector, abs=1e-5)


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> EncoderModel:
    folder = save_model(tmp_path_factory.mktemp("encoder"), "BertModel", "wordpiece", SMALL)
    found = load_any(locate(f"path:{folder}"), device="cpu")
    assert isinstance(found, EncoderModel)
    return found


def test_an_encoder_without_a_head_gives_states_and_no_probabilities(encoder: EncoderModel) -> None:
    assert encoder.checkpoint.kind == Kind.ENCODER
    _agree(encoder)
    with pytest.raises(ModelError, match="this probe needs a masked or causal"):
        load(encoder.checkpoint)


def test_a_word_is_at_its_last_subword(masked: MaskedLoader) -> None:
    tokenizer = masked("bert").tokenizer
    (one,) = encode(tokenizer, [Sentence("They are self-reliant.", ((9, 21),))])
    assert len(one.slots[0]) > 1
    assert last_subword(one) == Place(one.ids, one.slots[0].stop - 1)


def test_nothing_asked_gives_nothing(masked: MaskedLoader) -> None:
    assert embeddings(masked("bert"), []).shape[0] == 0


VECTORS = "Rose 1 0 0.5\nrose 0 1 0\nnew_york 0 0 2\nrose 9 9 9\n"


@pytest.fixture
def vectors(tmp_path: Path) -> Callable[..., StaticVectors]:
    def saved(text: str, name: str = "some.txt") -> StaticVectors:
        path = tmp_path / name
        path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
        found = load_any(locate(f"path:{path}"))
        assert isinstance(found, StaticVectors)
        return found

    return saved


@pytest.mark.parametrize("name", ["some.txt", "some.vec", "some.txt.gz"])
@pytest.mark.parametrize("header", ["", "4 3\n"])
def test_word_vectors_are_read_with_and_without_a_header(
    name: str, header: str, vectors: Callable[..., StaticVectors]
) -> None:
    found = vectors(header + VECTORS, name).vectors(["Rose", "ROSE", "New York", "tulip"])
    assert {word: list(vector) for word, vector in found.items()} == {
        "Rose": [1, 0, 0.5],
        "ROSE": [0, 1, 0],
        "New York": [0, 0, 2],
    }


def test_the_tokens_of_glove_840b_that_hold_spaces_are_no_other_words(vectors: Callable[..., StaticVectors]) -> None:
    text = ", 0.5 0.25 -0.125\n. . . 9 9 9\n. 1 0 0\nat name@domain.com 8 8 8\nat 0 1 0\nto\u00a0day 7 7 7\nto 0 0 1\n"
    found = vectors(text, "glove.840B.300d.txt").vectors([",", ".", "at", "to", "name@domain.com"])
    assert {word: list(vector) for word, vector in found.items()} == {
        ",": [0.5, 0.25, -0.125],
        ".": [1, 0, 0],
        "at": [0, 1, 0],
        "to": [0, 0, 1],
    }


def test_word2vec_writes_a_header_and_a_space_behind_each_line(vectors: Callable[..., StaticVectors]) -> None:
    found = vectors("3 2\n</s> 0.001 -0.002 \nrose 1.5 -2e-05 \nNew_York 0 3 \n").vectors(["rose", "New York", "3"])
    assert {word: list(vector) for word, vector in found.items()} == {"rose": [1.5, -2e-05], "New York": [0, 3]}


def test_other_vectors_are_another_model(vectors: Callable[..., StaticVectors]) -> None:
    one, other = vectors(VECTORS), vectors(VECTORS + "tulip 1 1 1\n", "other.txt")
    assert one.checkpoint.kind == Kind.STATIC
    assert one.checkpoint.digest != other.checkpoint.digest


@pytest.mark.parametrize("text", ["", "one two three\n", "rose 1\n"])
def test_a_file_without_vectors_is_refused_when_it_is_named(text: str, tmp_path: Path) -> None:
    path = tmp_path / "none.txt"
    path.write_text(text)
    with pytest.raises(ModelError, match="holds no word vectors"):
        locate(f"path:{path}")


def test_a_broken_line_is_named(vectors: Callable[..., StaticVectors]) -> None:
    with pytest.raises(ModelError, match=r"line 2 of .* is not a word with its numbers"):
        vectors("rose 1 2 3\ntulip 1 x 3\n").vectors(["tulip"])
    with pytest.raises(ModelError, match="zeros"):
        vectors("rose 0 0 0\n").vectors(["rose"])


def test_a_damaged_archive_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cut.txt.gz"
    path.write_bytes(gzip.compress(np.random.default_rng(0).bytes(2000))[:500])
    with pytest.raises(ModelError):
        locate(f"path:{path}")
