from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from plumbline.spec.errors import ModelError
from tests.workers.engine.conftest import DISTIL, SMALL, memory_for, save_model
from workers.engine.loading import load_any, locate
from workers.engine.multiple_choice import MultipleChoiceModel, Pair

FAMILIES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "bert": ("BertForMultipleChoice", "wordpiece", SMALL),
    "roberta": ("RobertaForMultipleChoice", "bytes", {**SMALL, "max_position_embeddings": 66, "type_vocab_size": 1}),
    "distilbert": ("DistilBertForMultipleChoice", "wordpiece", DISTIL),
    "albert": ("AlbertForMultipleChoice", "unigram", {**SMALL, "embedding_size": 16}),
    "electra": ("ElectraForMultipleChoice", "wordpiece", {**SMALL, "embedding_size": 16}),
    "deberta-v2": ("DebertaV2ForMultipleChoice", "unigram", {**SMALL, "pooler_hidden_size": 32}),
    "modernbert": (
        "ModernBertForMultipleChoice",
        "bytes",
        {**SMALL, "local_attention": 8, "global_attn_every_n_layers": 2},
    ),
}
QUESTIONS = [
    ("All women are powerful. Who is warm?", ("women", "the doctor of the village", "most honest people, she said")),
    ("Most people are kind.", ("friendly", "self-reliant", "poor but cheerful")),
]
Loader = Callable[[str], MultipleChoiceModel]


@pytest.fixture(scope="module")
def multiple_choice(tmp_path_factory: pytest.TempPathFactory) -> Loader:
    root = tmp_path_factory.mktemp("multiple-choice")

    @cache
    def model(name: str) -> MultipleChoiceModel:
        return loaded(save_model(root / name, *FAMILIES[name]))

    return model


def loaded(folder: Path) -> MultipleChoiceModel:
    model = load_any(locate(f"path:{folder}"), device="cpu")
    assert isinstance(model, MultipleChoiceModel)
    return model


def pairs() -> list[Pair]:
    return [(first, choice) for first, choices in QUESTIONS for choice in choices]


def plainly(model: MultipleChoiceModel, first: str, choices: tuple[str, ...]) -> list[float]:
    """A question as it is asked in fine-tuning: its choices together in one row, padded."""
    batch = model.tokenizer([first] * len(choices), list(choices), padding=True, return_tensors="pt")
    if model.model.config.model_type not in ("bert", "albert", "electra"):
        batch.pop("token_type_ids", None)
    with torch.inference_mode():
        logits = model.model(**{name: tensor[None] for name, tensor in batch.items()}).logits
    return [float(one) for one in logits[0]]


@pytest.mark.parametrize("family", FAMILIES)
def test_a_choice_has_the_same_logit_alone_and_in_a_batch(multiple_choice: Loader, family: str) -> None:
    model = multiple_choice(family)
    expected = [logit for first, choices in QUESTIONS for logit in plainly(model, first, choices)]
    assert np.ptp(expected) > 1e-2
    np.testing.assert_allclose(model.logits(pairs()), expected, atol=2e-5, rtol=0)


@pytest.mark.parametrize("family", FAMILIES)
def test_logits_do_not_depend_on_the_batch(
    multiple_choice: Loader, family: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = multiple_choice(family)
    together = model.logits(pairs())
    alone = np.concatenate([model.logits([pair]) for pair in pairs()])
    np.testing.assert_allclose(together, alone, atol=1e-5, rtol=0)
    monkeypatch.setattr(model, "token_budget", 30)
    np.testing.assert_allclose(model.logits(pairs()[::-1])[::-1], together, atol=1e-5, rtol=0)


def test_a_pair_that_is_asked_twice_is_run_once(multiple_choice: Loader) -> None:
    model, run, counted = multiple_choice("bert"), [], list[int]()
    hook = model.model.classifier.register_forward_hook(lambda _, __, output: run.append(len(output)))
    answers = model.logits(pairs() * 3, counted.append)
    hook.remove()
    assert (sum(run), sum(counted)) == (len(pairs()), 3 * len(pairs()))
    assert answers.tolist() == model.logits(pairs()).tolist() * 3


def test_a_text_is_never_cut_in_silence(multiple_choice: Loader) -> None:
    model, counted = multiple_choice("bert"), list[int]()
    model.tokenizer.backend_tokenizer.enable_truncation(8)
    asked = [("women are warm " * 30, "poor"), ("women", "poor"), ("women are kind, honest and", "poor and warm")]
    answers = model.logits(asked, counted.append)
    assert np.isnan(answers).tolist() == [True, False, False]
    assert model.faults(asked) == ["longer than the model's 64 tokens", "", ""]
    assert sum(counted) == 3
    assert answers[2] == pytest.approx(plainly(model, asked[2][0], (asked[2][1],))[0], abs=2e-5)


@pytest.mark.parametrize(
    ("pair", "fault"),
    [
        (("Women are", "ξένος"), "'ξένος' is spelled with the unknown token"),
        (("Women are", "[MASK]"), "the text contains a special token of the model"),
        (("Women are [SEP]", "warm"), "the text contains a special token of the model"),
        (("Women are", " "), "' ' leaves no token"),
        (("Women are ξένος", "warm"), ""),
    ],
)
def test_a_choice_that_the_model_cannot_read_has_a_reason(multiple_choice: Loader, pair: Pair, fault: str) -> None:
    model = multiple_choice("bert")
    assert model.faults([pair]) == [fault]
    assert np.isnan(model.logits([pair]))[0] == bool(fault)


def test_no_pairs_have_no_logits(multiple_choice: Loader) -> None:
    assert multiple_choice("bert").logits([]).shape == (0,)


def test_when_memory_runs_out_the_batch_is_halved(multiple_choice: Loader, monkeypatch: pytest.MonkeyPatch) -> None:
    model: Any = multiple_choice("bert")
    expected = model.logits(pairs())
    monkeypatch.setattr(model, "token_budget", 10_000)
    with memory_for(60, model) as refused:
        found = model.logits(pairs())
    np.testing.assert_allclose(found, expected, atol=1e-5, rtol=0)
    assert refused
    assert model.token_budget < 100


@pytest.mark.parametrize("missing", ["classifier.", "bert.pooler."])
def test_a_model_without_its_head_is_refused(tmp_path: Path, missing: str) -> None:
    folder = save_model(tmp_path / "bert", *FAMILIES["bert"])
    weights = load_file(folder / "model.safetensors")
    kept = {name: value for name, value in weights.items() if not name.startswith(missing)}
    save_file(kept, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(ModelError, match=rf"lacks weights.*{missing}.*saved with its multiple-choice head"):
        loaded(folder)


def test_broken_weights_are_reported(tmp_path: Path) -> None:
    model = loaded(save_model(tmp_path / "bert", *FAMILIES["bert"]))
    with torch.no_grad():
        model.model.classifier.bias.fill_(torch.nan)
    with pytest.raises(ModelError, match="gives logits that are not finite"):
        model.logits(pairs())
