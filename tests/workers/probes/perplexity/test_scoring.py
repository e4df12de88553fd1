"""Log likelihoods of texts: equal to a plain transcription on tiny models, one token at a time."""

from pathlib import Path

import pytest
import torch

from tests.workers.engine.conftest import CAUSAL, save_model
from workers.engine.causal import CausalModel
from workers.engine.loading import load, locate
from workers.engine.masked import MaskedModel
from workers.probes.perplexity.scoring import NO_TOKEN, score_causal, score_masked

TEXTS = ["All women are poor people.", "Most doctors should be warm, in gowns.", "All women are poor people."]


@pytest.fixture(scope="module")
def masked(tiny_folders: tuple[Path, Path]) -> MaskedModel:
    found = load(locate(f"path:{tiny_folders[0]}"), device="cpu")
    assert isinstance(found, MaskedModel)
    return found


@pytest.fixture(scope="module")
def causal(tmp_path_factory: pytest.TempPathFactory) -> CausalModel:
    folder = save_model(tmp_path_factory.mktemp("causal"), *CAUSAL["llama"])
    found = load(locate(f"path:{folder}"), device="cpu")
    assert isinstance(found, CausalModel)
    return found


@torch.inference_mode()
def _plain_masked(model: MaskedModel, text: str) -> tuple[float, int, int]:
    """Mask each token in turn, one input at a time, as Salazar et al. 2020 define it."""
    ids = model.tokenizer(text)["input_ids"]
    total, right, special = 0.0, 0, set(model.tokenizer.all_special_ids)
    own = [at for at, token in enumerate(ids) if token not in special or token == model.tokenizer.unk_token_id]
    for at in own:
        hidden = torch.tensor([[*ids[:at], model.mask_token_id, *ids[at + 1 :]]])
        logits = model.model(input_ids=hidden).logits[0, at].double()
        total += float(logits.log_softmax(0)[ids[at]])
        right += int(logits.argmax()) == ids[at]
    return total, len(own), right


def test_a_masked_model_is_asked_for_each_token_alone(masked: MaskedModel) -> None:
    done: list[int] = []
    found = score_masked(masked, TEXTS, done.append)
    for text, one in zip(TEXTS, found, strict=True):
        total, tokens, right = _plain_masked(masked, text)
        assert one.log_likelihood == pytest.approx(total, abs=1e-4)
        assert (one.n_tokens, one.n_top1) == (tokens, right)
    assert sum(done) == len(TEXTS)


def test_a_text_without_tokens_or_one_that_is_too_long_has_a_reason(masked: MaskedModel) -> None:
    found = score_masked(masked, ["\u200b", "poor " * 5000, TEXTS[0]], lambda _: None)
    assert found[0].reason == NO_TOKEN
    assert "tokens" in found[1].reason
    assert found[2].log_likelihood is not None


@torch.inference_mode()
def test_a_causal_model_is_asked_from_left_to_right(causal: CausalModel) -> None:
    found = score_causal(causal, TEXTS, lambda _: None)
    for text, one in zip(TEXTS, found, strict=True):
        own = causal.tokenizer(text)["input_ids"]
        assert one.n_tokens in (len(own), len(own) - 1)
        ids = own if one.n_tokens == len(own) - 1 else [_before(causal), *own]
        log_p = causal.model(input_ids=torch.tensor([ids])).logits[0].double().log_softmax(-1)
        expected = sum(float(log_p[at, token]) for at, token in enumerate(ids[1:]))
        assert one.log_likelihood == pytest.approx(expected, abs=1e-4)
        assert one.n_top1 is None


def _before(causal: CausalModel) -> int:
    tokenizer = causal.tokenizer
    separator: int | None = tokenizer.get_vocab().get("<|endoftext|>")
    return next(one for one in (separator, tokenizer.bos_token_id, tokenizer.eos_token_id) if one is not None)
