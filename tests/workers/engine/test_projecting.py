"""Projections of states: where they act, for each kind of model, and which are refused."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from transformers import BertConfig, BertForMultipleChoice, BertModel, BertTokenizerFast

from plumbline.spec.errors import ModelError
from tests.workers.engine.conftest import CAUSAL, MASKED
from tests.workers.tiny import save_tiny_bert, save_tiny_multiple_choice
from workers.engine.causal import CausalModel, CausalQuery
from workers.engine.checkpoints.checkpoint import Checkpoint
from workers.engine.embeddings import Place, embeddings
from workers.engine.loading import load, load_any, locate
from workers.engine.masked import MaskedModel, MaskedQuery
from workers.engine.multiple_choice import MultipleChoiceModel
from workers.engine.projection import Projection, projected, read_projection, write_projection

Folder = Callable[[str], Path]
IDS = (2, 9, 11, 8, 10, 7, 3)


def some_projection(size: int = 32, layer: int | None = None) -> Projection:
    """A projection to half of the directions, and a shift."""
    random = np.random.default_rng(size)
    basis = np.linalg.qr(random.normal(size=(size, size // 2)))[0]
    return Projection((basis @ basis.T).astype(np.float32), random.normal(size=size).astype(np.float32), layer)


def variant_of(folder: Path, path: Path, projection: Projection | None = None) -> Checkpoint:
    parent = locate(f"path:{folder}")
    write_projection(path, projection or some_projection(), parent.digest, "a test")
    return projected(parent, path)


@contextmanager
def mapped_by_hand(model: Any, projection: Projection) -> Iterator[None]:
    """Map what the whole body gives, in place of the module inside it."""
    matrix, offset = torch.from_numpy(projection.matrix), torch.from_numpy(projection.offset)

    def map_states(_: Any, __: Any, given: Any) -> Any:
        given["last_hidden_state"] = given["last_hidden_state"] @ matrix.T + offset
        return given

    hook = model.base_model.register_forward_hook(map_states)
    try:
        yield
    finally:
        hook.remove()


@pytest.mark.parametrize("family", [family for family in MASKED if family != "xlnet"])
def test_a_masked_model_reads_projected_states(family: str, folder_of: Folder, tmp_path: Path) -> None:
    projection = some_projection()
    found = load(variant_of(folder_of(family), tmp_path / "p.safetensors"), device="cpu")
    plain = load(locate(f"path:{folder_of(family)}"), device="cpu")
    assert isinstance(found, MaskedModel)
    with mapped_by_hand(plain.model, projection), torch.inference_mode():
        logits = plain.model(input_ids=torch.tensor([IDS])).logits[0, 3]
    expected = logits.log_softmax(0)[6].item()
    assert found.log_probabilities([MaskedQuery(IDS, 3, 6)])[0] == pytest.approx(expected, abs=1e-5)
    assert plain.log_probabilities([MaskedQuery(IDS, 3, 6)])[0] != pytest.approx(expected, abs=1e-3)  # type: ignore[list-item]


def test_xlnets_stream_of_predictions_is_projected_too(folder_of: Folder, tmp_path: Path) -> None:
    nothing = Projection(np.zeros((32, 32), np.float32), np.zeros(32, np.float32), None)
    found = load(variant_of(folder_of("xlnet"), tmp_path / "p.safetensors", nothing), device="cpu")
    assert isinstance(found, MaskedModel)
    ids = (10, found.mask_token_id, 12, 4, 3)
    assert np.ptp(found.log_probabilities([MaskedQuery(ids, 1, 20), MaskedQuery(ids, 0, 20)])) < 1e-6


@pytest.mark.parametrize("family", list(CAUSAL))
def test_a_causal_model_reads_projected_states(family: str, folder_of: Folder, tmp_path: Path) -> None:
    projection = some_projection()
    found = load(variant_of(folder_of(family), tmp_path / "p.safetensors"), device="cpu")
    plain = load(locate(f"path:{folder_of(family)}"), device="cpu")
    assert isinstance(found, CausalModel)
    with mapped_by_hand(plain.model, projection), torch.inference_mode():
        expected = plain.model(input_ids=torch.tensor([IDS[:4]])).logits[0, -1].log_softmax(0)[6].item()
    assert found.log_probabilities([CausalQuery(IDS[:4], (6,))])[0] == pytest.approx(expected, abs=1e-5)


def test_a_multiple_choice_models_pooler_comes_after_the_projection(tmp_path: Path) -> None:
    folder = save_tiny_multiple_choice(tmp_path / "model", seed=1)
    projection = some_projection()
    found = load_any(variant_of(folder, tmp_path / "p.safetensors"), device="cpu")
    assert isinstance(found, MultipleChoiceModel)
    pair = ("women are warm", "men are poor")
    fed = BertTokenizerFast.from_pretrained(folder)(*pair, return_tensors="pt")
    plain = BertForMultipleChoice.from_pretrained(folder).eval()
    with torch.inference_mode():
        states = plain.bert(**fed).last_hidden_state @ torch.from_numpy(projection.matrix).T
        expected = plain.classifier(plain.bert.pooler(states + torch.from_numpy(projection.offset)))
    assert found.logits([pair])[0] == pytest.approx(expected.item(), abs=1e-5)


def test_an_encoder_gives_projected_states(tmp_path: Path) -> None:
    folder = save_tiny_bert(tmp_path / "model", seed=1)
    torch.manual_seed(0)
    BertModel(BertConfig.from_pretrained(folder)).save_pretrained(folder)
    projection = some_projection()
    places = [Place(IDS, position) for position in (0, 3)]
    before = embeddings(load_any(locate(f"path:{folder}")), places)  # type: ignore[arg-type]
    after = embeddings(load_any(variant_of(folder, tmp_path / "p.safetensors")), places)  # type: ignore[arg-type]
    assert np.allclose(after, before @ projection.matrix.T + projection.offset, atol=1e-5)


@pytest.mark.parametrize("family", ["bert", "deberta-v2", "llama", "gpt2"])
@pytest.mark.parametrize("layer", [0, 1])
def test_a_lower_layer_can_be_projected(family: str, layer: int, folder_of: Folder, tmp_path: Path) -> None:
    projection = some_projection(layer=layer)
    found = load(variant_of(folder_of(family), tmp_path / "p.safetensors", projection), device="cpu")
    plain = load(locate(f"path:{folder_of(family)}"), device="cpu")
    with torch.inference_mode():
        given = {"input_ids": torch.tensor([IDS]), "output_hidden_states": True}
        before = plain.model.base_model(**given).hidden_states[layer]
        untouched = plain.model.base_model(**given).hidden_states[-1]
        after = found.model.base_model(**given).hidden_states
    expected = before @ torch.from_numpy(projection.matrix).T + torch.from_numpy(projection.offset)
    torch.testing.assert_close(after[layer], expected, atol=1e-4, rtol=0)
    assert not torch.allclose(after[-1], untouched, atol=1e-3)


def test_the_vocabularys_matrix_stays_as_it_is(folder_of: Folder, tmp_path: Path) -> None:
    found = load(variant_of(folder_of("bert"), tmp_path / "p.safetensors"), device="cpu")
    plain = load(locate(f"path:{folder_of('bert')}"), device="cpu")
    for name, value in plain.model.state_dict().items():
        assert torch.equal(value, found.model.state_dict()[name]), name


def test_two_projections_act_one_after_the_other(folder_of: Folder, tmp_path: Path) -> None:
    once = variant_of(folder_of("bert"), tmp_path / "a.safetensors")
    nothing = Projection(np.zeros((32, 32), np.float32), np.ones(32, np.float32), None)
    write_projection(tmp_path / "b.safetensors", nothing, once.digest, "a test")
    twice = projected(once, tmp_path / "b.safetensors")
    found = load(twice, device="cpu")
    with torch.inference_mode():
        assert torch.equal(found.model.base_model(torch.tensor([IDS]))[0], torch.ones(1, len(IDS), 32))
    assert len({once.digest, twice.digest, locate(f"path:{folder_of('bert')}").digest}) == 3


def test_a_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    written = some_projection(layer=4)
    write_projection(tmp_path / "p.safetensors", written, "digest", "a test")
    found = read_projection(tmp_path / "p.safetensors")
    assert np.array_equal(found.matrix, written.matrix)
    assert np.array_equal(found.offset, written.offset)
    assert found.layer == 4


def test_a_projection_for_other_weights_is_refused(folder_of: Folder, tmp_path: Path) -> None:
    variant_of(folder_of("bert"), tmp_path / "p.safetensors")
    with pytest.raises(ModelError, match=r"made for the weights .* make a variant of this model"):
        projected(locate(f"path:{folder_of('roberta')}"), tmp_path / "p.safetensors")


def test_a_projection_of_the_wrong_size_is_refused(folder_of: Folder, tmp_path: Path) -> None:
    checkpoint = variant_of(folder_of("bert"), tmp_path / "p.safetensors", some_projection(16))
    with pytest.raises(ModelError, match="for states of 16 numbers, but the model's have 32"):
        load(checkpoint, device="cpu")


def test_a_layer_that_the_model_does_not_have_is_refused(folder_of: Folder, tmp_path: Path) -> None:
    checkpoint = variant_of(folder_of("bert"), tmp_path / "p.safetensors", some_projection(layer=3))
    with pytest.raises(ModelError, match="has the layers 0 to 2, not 3"):
        load(checkpoint, device="cpu")


@pytest.mark.parametrize("content", [b"", b"no tensors at all"])
def test_a_damaged_file_is_refused(content: bytes, folder_of: Folder, tmp_path: Path) -> None:
    (tmp_path / "p.safetensors").write_bytes(content)
    with pytest.raises(ModelError, match="is damaged or missing"):
        projected(locate(f"path:{folder_of('bert')}"), tmp_path / "p.safetensors")
