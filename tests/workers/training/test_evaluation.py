"""Loss and first guesses on text that was not trained on."""

from typing import Any

import numpy as np
import pytest
import torch

from workers.training.batches import Special, masked_batch
from workers.training.corpus import Tokens
from workers.training.evaluation import RATE, ROWS, SEED, completions, evaluate


def masked(passages: list[Tokens], special: Special) -> list[Any]:
    random = np.random.default_rng(SEED)
    return [
        masked_batch(passages[start : start + ROWS], special, RATE, random) for start in range(0, len(passages), ROWS)
    ]


def test_the_loss_is_that_of_transformers(model: Any, tokenizer: Any, passages: list[Tokens]) -> None:
    special = Special.of(tokenizer)
    found = evaluate(model.eval(), passages, special)
    sums, tokens = 0.0, 0
    for batch in masked(passages, special):
        labels = torch.full_like(batch.ids, -100)
        labels[batch.masked] = batch.answers
        with torch.inference_mode():
            mean = model(input_ids=batch.ids, attention_mask=batch.attention, labels=labels).loss
        sums, tokens = sums + float(mean) * len(batch.answers), tokens + len(batch.answers)
    assert (found.tokens, found.passages) == (tokens, len(passages))
    assert found.loss == pytest.approx(sums / tokens, abs=1e-5)


def test_a_model_that_always_guesses_one_word_is_right_as_often_as_it_is_there(
    model: Any, tokenizer: Any, passages: list[Tokens]
) -> None:
    special = Special.of(tokenizer)
    warm = tokenizer.convert_tokens_to_ids("warm")
    with torch.no_grad():
        model.cls.predictions.bias[warm] = 1e4
    answers = torch.cat([batch.answers for batch in masked(passages, special)])
    assert evaluate(model.eval(), passages, special).top_1 == pytest.approx(float((answers == warm).float().mean()))


def test_completions_are_the_likeliest_words_with_their_probabilities(model: Any, tokenizer: Any) -> None:
    with torch.no_grad():
        model.cls.predictions.bias[tokenizer.convert_tokens_to_ids("poor")] = 1e4
    (found,) = completions(model.eval(), tokenizer, ["women are [MASK]."], first=3)
    assert found[0] == ("poor", 1.0)
    assert len(found) == 3
