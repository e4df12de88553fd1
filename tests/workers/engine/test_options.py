"""How likely options are to a causal model, against scoring each by itself."""

from collections.abc import Callable

import numpy as np
import pytest
import torch

from workers.engine.causal import CausalModel
from workers.engine.multiple_choice import Pair
from workers.engine.options import NEUTRAL, Scoring, option_faults, option_scores

Loader = Callable[[str], CausalModel]
PAIRS: list[Pair] = [
    (first, option)
    for first in ("All women are powerful. All men are", "Most people are")
    for option in ("warm", "kind, honest and self-reliant", "poor but cheerful", "powerful")
]


def log_p(model: CausalModel, first: str, option: str) -> tuple[float, int]:
    """Token by token, each after a run of its own; and the number of tokens."""
    context = model.tokenizer(first)["input_ids"]
    tokens = model.tokenizer(f" {option}", add_special_tokens=False)["input_ids"]
    assert model.tokenizer(f"{first} {option}")["input_ids"] == context + tokens
    total = 0.0
    for index, token in enumerate(tokens):
        with torch.inference_mode():
            logits = model.model(torch.tensor([context + tokens[:index]])).logits[0, -1]
        total += float(logits.double().log_softmax(0)[token])
    return total, len(tokens)


def plainly(model: CausalModel, pair: Pair, scoring: Scoring) -> float:
    total, tokens = log_p(model, *pair)
    match scoring:
        case "sum":
            return total
        case "mean_token":
            return total / tokens
        case "mean_byte":
            return total / len(pair[1].encode())
        case "pmi":
            return total - log_p(model, NEUTRAL, pair[1])[0]


@pytest.mark.parametrize("family", ["llama", "llama-bos", "bloom"])
@pytest.mark.parametrize("scoring", ["sum", "mean_token", "mean_byte", "pmi"])
def test_a_score_is_that_of_the_option_by_itself(causal: Loader, family: str, scoring: Scoring) -> None:
    model = causal(family)
    expected = [plainly(model, pair, scoring) for pair in PAIRS]
    np.testing.assert_allclose(option_scores(model, PAIRS, scoring), expected, atol=2e-5, rtol=0)
    alone = [option_scores(model, [pair], scoring)[0] for pair in PAIRS]
    np.testing.assert_allclose(option_scores(model, PAIRS, scoring), alone, atol=1e-5, rtol=0)


def test_a_first_text_is_run_once_for_all_its_options(causal: Loader) -> None:
    model, run = causal("llama"), []
    tokens = [len(model.tokenizer(f"{first} {option}")["input_ids"]) for first, option in PAIRS]
    hook = model.model.base_model.register_forward_hook(lambda _, __, output: run.append(output[0].shape[:2].numel()))
    option_scores(model, PAIRS, "sum")
    hook.remove()
    assert sum(run) < sum(tokens) / 1.5


def test_spaces_at_the_seam_do_not_matter(causal: Loader) -> None:
    model = causal("llama")
    one, other = option_scores(model, [("All men are ", " warm"), ("All men are", "warm")], "mean_byte")
    assert one == other


def test_bytes_are_those_of_the_text_and_not_its_letters(causal: Loader) -> None:
    model = causal("llama")
    pair = ("All men are", "naïve")
    total, mean = (option_scores(model, [pair], scoring)[0] for scoring in ("sum", "mean_byte"))
    assert mean == pytest.approx(total / 6)


def test_an_option_that_cannot_be_scored_has_a_reason_and_the_others_their_score(causal: Loader) -> None:
    model, counted = causal("llama"), list[int]()
    asked = [("All men are " * 30, "warm"), ("All men are", ""), ("All men are", "warm")]
    scores = option_scores(model, asked, "pmi", counted.append)
    assert np.isnan(scores).tolist() == [True, True, False]
    faults = option_faults(model.tokenizer, asked, "pmi")
    assert faults == ["longer than the model's 64 tokens", "'' leaves no token", ""]
    assert scores[2] == option_scores(model, asked[2:], "pmi")[0]
    assert sum(counted) == 3


def test_no_options_have_no_scores(causal: Loader) -> None:
    assert option_scores(causal("llama"), [], "pmi").shape == (0,)
