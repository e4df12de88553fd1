"""What a causal model writes, against a plain loop over the model; the same whatever else is in the batch."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
import torch
from scipy.stats import chisquare

from plumbline.spec.errors import OutOfMemoryError
from tests.workers.engine.conftest import CausalLoader, memory_for
from workers.engine.causal import CausalModel
from workers.engine.generation import Prompt, Written, write

FAMILIES = ["llama", "gpt2", "qwen2", "mistral-window", "bloom"]
PROMPTS = [Prompt(tuple(range(5, 5 + length))) for length in (1, 3, 4, 9, 17)]
END = [3]
"""The end of texts."""


def written(
    model: CausalModel, prompts: Sequence[Prompt], ends: Sequence[int] = END, most: int = 8, temperature: float = 0.0
) -> list[Written]:
    found: dict[int, Written] = {}

    def arrived(place: int, one: Written) -> None:
        assert place not in found
        found[place] = one

    write(model, prompts, ends, most, arrived, temperature)
    return [found[place] for place in range(len(prompts))]


def logits_after(model: CausalModel, ids: Sequence[int]) -> torch.Tensor:
    with torch.inference_mode():
        found: torch.Tensor = model.model(torch.tensor([list(ids)])).logits[0, -1].double()
    return found


def likeliest(model: CausalModel, prompt: Prompt, most: int) -> list[int]:
    ids = list(prompt.ids)
    while len(ids) < len(prompt.ids) + most and (token := int(logits_after(model, ids).argmax())) not in END:
        ids.append(token)
    return ids[len(prompt.ids) :]


@pytest.mark.parametrize("family", FAMILIES)
def test_each_token_is_the_likeliest_after_those_before_it(family: str, causal: CausalLoader) -> None:
    model = causal(family)
    found = written(model, PROMPTS)
    assert [list(one.ids) for one in found] == [likeliest(model, one, 8) for one in PROMPTS]


def test_an_answer_stops_before_its_end_and_one_without_an_end_at_the_limit(causal: CausalLoader) -> None:
    model = causal("gpt2")
    free = likeliest(model, PROMPTS[2], 8)
    stop = free[3]
    ended, cut = written(model, [PROMPTS[2]], [stop])[0], written(model, [PROMPTS[2]])[0]
    assert ended == Written(tuple(free[: free.index(stop)]), ended=True)
    assert cut == Written(tuple(free), ended=False)


def test_settings_of_the_models_generation_config_have_no_influence(
    causal: CausalLoader, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = causal("gpt2")
    before = written(model, PROMPTS)
    for name, value in (("repetition_penalty", 5.0), ("do_sample", True), ("max_length", 3), ("top_k", 1)):
        monkeypatch.setattr(model.model.generation_config, name, value)
    assert written(model, PROMPTS) == before


def test_the_models_limit_cuts_an_answer_and_a_prompt_without_room_gets_none(causal: CausalLoader) -> None:
    model = causal("gpt2")
    limit = model.tokenizer.model_max_length
    long, full, longer = (Prompt(tuple(range(5, 45)) * 40), Prompt((5,) * limit), Prompt((5,) * (limit + 9)))
    long = Prompt(long.ids[: limit - 2])
    found = written(model, [full, long, longer, PROMPTS[0]])
    assert [len(one.ids) for one in found] == [0, 2, 0, 8]
    assert not any(one.ended for one in found)


@pytest.mark.parametrize("temperature", [0.0, 1.5])
def test_an_answer_does_not_depend_on_the_batch(temperature: float, causal: CausalLoader) -> None:
    model = causal("llama")
    prompts = [Prompt(one.ids, seed) for seed, one in enumerate(PROMPTS * 6)]
    together = written(model, prompts, temperature=temperature)
    assert [written(model, [one], temperature=temperature)[0] for one in prompts] == together
    assert written(model, prompts[::-1], temperature=temperature)[::-1] == together


def test_samples_follow_the_probabilities_at_their_temperature(causal: CausalLoader) -> None:
    model, temperature = causal("gpt2"), 0.05
    shares = (logits_after(model, PROMPTS[2].ids) / temperature).softmax(-1).numpy()
    prompts = [Prompt(PROMPTS[2].ids, seed) for seed in range(2000)]
    drawn = Counter(one.ids[0] for one in written(model, prompts, most=1, temperature=temperature) if one.ids)
    common = np.flatnonzero(shares * len(prompts) >= 5)
    assert len(common) >= 3
    seen = np.array([drawn[int(token)] for token in common])
    expected = shares[common] * len(prompts)
    rest = (len(prompts) - seen.sum(), len(prompts) - expected.sum())
    assert chisquare([*seen, rest[0]], [*expected, rest[1]]).pvalue > 0.001


def test_batches_shrink_to_the_memory_and_give_the_same(causal: CausalLoader, monkeypatch: pytest.MonkeyPatch) -> None:
    model = causal("llama")
    monkeypatch.setattr(model, "writing_budget", 0)
    prompts = [Prompt((*PROMPTS[4].ids, place)) for place in range(5, 45)]
    expected = written(model, prompts)
    with memory_for(16 * 18, model) as refused:
        assert written(model, prompts) == expected
        assert refused
        refused.clear()
        assert written(model, prompts) == expected
    assert not refused


def test_a_single_prompt_that_does_not_fit_says_so(causal: CausalLoader) -> None:
    model = causal("llama")
    with memory_for(16, model), pytest.raises(OutOfMemoryError, match="use a smaller model"):
        written(model, PROMPTS[4:])
