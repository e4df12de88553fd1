"""Text-to-text models: greedy outputs that do not depend on the batch."""

import pytest
import torch

from tests.workers.engine.conftest import build_tokenizer
from workers.engine.checkpoints.checkpoint import Kind
from workers.engine.loading import load_any, locate
from workers.engine.text_to_text import TextToTextModel

TEXTS = ["All women are powerful", "Most people are kind, honest and self-reliant", "poor", "All women are powerful"]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> TextToTextModel:
    from transformers import T5Config, T5ForConditionalGeneration

    folder = tmp_path_factory.mktemp("t5")
    tokenizer = build_tokenizer("unigram")
    tokenizer.model_max_length = 64
    torch.manual_seed(0)
    sizes = {"d_model": 32, "d_ff": 48, "d_kv": 8, "num_layers": 2, "num_heads": 4}
    special = {"pad_token_id": 0, "eos_token_id": 3, "decoder_start_token_id": 0}
    config = T5Config(vocab_size=len(tokenizer), initializer_factor=2.0, **sizes, **special)
    T5ForConditionalGeneration(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    found = load_any(locate(f"path:{folder}"), device="cpu")
    assert isinstance(found, TextToTextModel)
    return found


def test_its_config_decides_its_kind(model: TextToTextModel) -> None:
    assert model.checkpoint.kind == Kind.TEXT_TO_TEXT


def test_outputs_do_not_depend_on_the_batch(model: TextToTextModel) -> None:
    together = model.outputs(TEXTS, 8)
    assert together == [model.outputs([text], 8)[0] for text in TEXTS]
    assert len(set(together)) > 1, "the texts make no difference to this model, so the test shows nothing"


def test_an_output_is_the_likeliest_token_at_each_step(model: TextToTextModel) -> None:
    written = [model.model.config.decoder_start_token_id]
    ids = torch.tensor([model.tokenizer(TEXTS[1])["input_ids"]])
    with torch.inference_mode():
        for _ in range(6):
            logits = model.model(input_ids=ids, decoder_input_ids=torch.tensor([written])).logits[0, -1]
            written.append(int(logits.argmax()))
            if written[-1] == model.model.config.eos_token_id:
                break
    expected = model.tokenizer.decode(written, skip_special_tokens=True).strip()
    assert model.outputs([TEXTS[1]], 6) == [expected]


def test_settings_of_the_models_generation_config_have_no_influence(
    model: TextToTextModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = model.outputs(TEXTS, 8)
    for name, value in (("repetition_penalty", 5.0), ("no_repeat_ngram_size", 1), ("min_length", 6), ("num_beams", 3)):
        monkeypatch.setattr(model.model.generation_config, name, value)
    assert model.outputs(TEXTS, 8) == before


def test_each_text_is_counted_once_it_is_answered(model: TextToTextModel) -> None:
    done: list[int] = []
    model.outputs(TEXTS, 4, done.append)
    assert sum(done) == len(TEXTS)


def test_a_text_that_is_too_long_has_a_fault_and_no_output(model: TextToTextModel) -> None:
    long = "women " * 100
    assert model.outputs([long, "poor"], 4)[0] == ""
    assert model.faults([long, "poor"]) == ["longer than the model's 64 tokens", ""]


def test_nothing_is_asked_of_no_text(model: TextToTextModel) -> None:
    assert model.outputs([]) == []
