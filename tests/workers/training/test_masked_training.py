"""A model learns what it should and nothing else; a training that was killed ends as if it had not been."""

import math
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from plumbline.spec.errors import InputError
from tests.workers.training.conftest import RECIPE
from workers.training.batches import Special, masked_batch
from workers.training.corpus import Tokens
from workers.training.masked_training import Training, logits_at_masked, trained_names

Begin = Callable[..., Training]


def weights(training: Training) -> dict[str, torch.Tensor]:
    return {name: value.detach().clone() for name, value in training.model.named_parameters()}


def test_the_loss_falls(begin: Begin) -> None:
    training = begin(replace(RECIPE, steps=60, head=1e-2))
    losses = list(training.losses())
    assert len(losses) == 60
    blind_guess = math.log(training.model.config.vocab_size)
    assert np.mean(losses[-10:]) < blind_guess - 0.5 < np.mean(losses[:10])


def test_what_is_frozen_stays_and_the_rest_learns(begin: Begin) -> None:
    training = begin()
    before = weights(training)
    list(training.losses())
    changed = {name for name, value in weights(training).items() if not torch.equal(value, before[name])}
    assert changed == set(trained_names(training.model, RECIPE.frozen))
    assert {name.split(".layer.")[1][0] for name in changed if ".layer." in name} == {"1", "2"}
    assert "bert.embeddings.word_embeddings.weight" not in changed


def test_a_resumed_training_ends_with_the_same_weights(begin: Begin, tmp_path: Path) -> None:
    undisturbed, killed, resumed = begin(), begin(), begin()
    expected = list(undisturbed.losses())
    first = list(islice(killed.losses(), 12))
    killed.save(tmp_path / "checkpoint.pt")
    resumed.resume(tmp_path / "checkpoint.pt")
    assert first + list(resumed.losses()) == expected
    for name, value in weights(resumed).items():
        assert torch.equal(value, weights(undisturbed)[name]), name


@pytest.mark.parametrize(
    ("changed", "named"), [({"recipe": replace(RECIPE, seed=1, steps=9)}, "steps, seed"), ({"corpus": "x"}, "corpus")]
)
def test_another_training_cannot_be_gone_on_with(
    begin: Begin, tmp_path: Path, changed: dict[str, Any], named: str
) -> None:
    begin().save(tmp_path / "checkpoint.pt")
    with pytest.raises(InputError, match=f"made with another {named}: give the same again"):
        begin(**changed).resume(tmp_path / "checkpoint.pt")


def test_logits_at_masked_tokens_are_those_of_the_whole_model(
    model: Any, tokenizer: Any, passages: list[Tokens]
) -> None:
    batch = masked_batch(passages[:9], Special.of(tokenizer), 0.3, np.random.default_rng(0))
    model.eval()
    with torch.inference_mode():
        whole = model(input_ids=batch.ids, attention_mask=batch.attention).logits[batch.masked]
        torch.testing.assert_close(logits_at_masked(model, batch), whole, atol=1e-5, rtol=0)


def test_the_learning_rate_rises_then_falls_to_nothing() -> None:
    recipe = replace(RECIPE, steps=100, warm_up=10)
    shares = [recipe.share(step) for step in range(101)]
    assert shares[0] == 0.1
    assert max(shares) == shares[9] == shares[10] == 1.0
    assert shares[55] == 0.5
    assert shares[100] == 0.0
