"""Embeddings of spans: means over subwords, side by side, whatever is embedded together."""

from pathlib import Path

import numpy as np
import pytest

from workers.engine.embeddings import Place, embeddings
from workers.engine.loading import load, locate
from workers.engine.sentences import Encoded, Sentence, encode
from workers.probes import span_embeddings as under_test
from workers.probes.protocol import Model
from workers.probes.span_embeddings import span_embeddings

TEXTS = {"The women are self-reliant.": ("women", "self-reliant"), "She is kind.": ("She", "kind")}


@pytest.fixture(scope="module")
def model(tiny_folders: tuple[Path, Path]) -> Model:
    return load(locate(f"path:{tiny_folders[0]}"), device="cpu")


def encoded(model: Model) -> list[Encoded]:
    sentences = [
        Sentence(text, tuple((text.index(word), text.index(word) + len(word)) for word in words))
        for text, words in TEXTS.items()
    ]
    return encode(model.tokenizer, sentences)


def test_a_span_is_the_mean_of_its_subwords(model: Model) -> None:
    found = encoded(model)
    assert max(len(slot) for one in found for slot in one.slots) > 1
    for one, vector in zip(found, span_embeddings(model, found, lambda _: None), strict=True):
        means = [embeddings(model, [Place(one.ids, at) for at in slot]).mean(axis=0) for slot in one.slots]
        assert vector == pytest.approx(np.concatenate(means), abs=1e-5)


def test_what_is_embedded_together_changes_nothing(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    together = span_embeddings(model, encoded(model), lambda _: None)
    monkeypatch.setattr(under_test, "AT_ONCE", 1)
    assert span_embeddings(model, encoded(model), lambda _: None) == pytest.approx(together, abs=1e-5)
