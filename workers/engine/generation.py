"""The text that a causal language model writes after a text: token by token, whatever else is in the batch."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from transformers import GenerationConfig, LogitsProcessor, LogitsProcessorList

from workers.engine.attention import repeated
from workers.engine.batching import in_batches, longest_first
from workers.engine.causal import CausalModel
from workers.engine.sentences import UNLIMITED

CPU_TOKENS, GPU_TOKENS = 8192, 65536
"""Maximum number of tokens of a batch, read and written."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """The tokens that are read, and the seed of the answer's chances."""

    ids: tuple[int, ...]
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Written:
    """The tokens that were written, and whether the model ended by itself. Its end is not among them."""

    ids: tuple[int, ...]
    ended: bool


@torch.inference_mode()
def write(
    model: CausalModel,
    prompts: Sequence[Prompt],
    ends: Sequence[int],
    most_tokens: int,
    arrived: Callable[[int, Written], None],
    temperature: float = 0.0,
) -> None:
    """Write after each prompt, up to one of the tokens `ends`, and at most `most_tokens`.

    At temperature 0 each token is the likeliest; else it is drawn with probabilities

    softmax(logits / temperature)

    by the prompt's own seed, so that an answer does not depend on the batch. Nothing else of the model's generation
    config has influence. A prompt that leaves no room within the model's limit gets nothing. `arrived` is called once
    for each prompt, with its place and what was written. Raises OutOfMemoryError when a single prompt does not fit.
    """
    budget = model.writing_budget or (CPU_TOKENS if model.device.type == "cpu" else GPU_TOKENS)
    room = [min(most_tokens, _limit(model) - len(one.ids)) for one in prompts]

    def run(batch: list[int]) -> list[Written]:
        some = _generated(model, [prompts[index] for index in batch], ends, room[batch[0]], temperature)
        return [_until_end(ids, ends) for ids in some]

    def cost(first: int, item: int) -> int:
        # All of a batch write as many tokens: no position lies beyond the model's limit.
        return len(prompts[first].ids) + most_tokens if room[item] == room[first] else budget

    def keep(batch: list[int], found: list[Written]) -> None:
        for index, one in zip(batch, found, strict=True):
            arrived(index, one)

    for index in (index for index, left in enumerate(room) if left <= 0):
        arrived(index, Written((), ended=False))
    fitting = [index for index, left in enumerate(room) if left > 0]
    order = [fitting[place] for place in longest_first([len(prompts[index].ids) for index in fitting])]
    model.writing_budget = in_batches(order, cost, budget, run, keep)


def _limit(model: CausalModel) -> int:
    limit = int(model.tokenizer.model_max_length)
    return limit if limit < UNLIMITED else 1 << 30


def _generated(
    model: CausalModel, prompts: Sequence[Prompt], ends: Sequence[int], most_tokens: int, temperature: float
) -> list[list[int]]:
    """Return the new tokens of each prompt, with its end and the padding after it."""
    longest = max(len(one.ids) for one in prompts)
    padding = model.tokenizer.pad_token_id
    padding = ends[0] if padding is None else padding
    ids = torch.tensor([[*[padding] * (longest - len(one.ids)), *one.ids] for one in prompts])
    lengths = torch.tensor([len(one.ids) for one in prompts])
    seen = torch.arange(longest) >= longest - lengths[:, None]
    chances = [_Chances([one.seed for one in prompts], temperature)] if temperature else []
    with greedily(model.model, most_tokens, eos_token_id=list(ends), pad_token_id=padding):
        new: Tensor = model.model.generate(
            input_ids=repeated(ids).to(model.device),
            attention_mask=repeated(seen.long()).to(model.device),
            logits_processor=LogitsProcessorList(chances),
        )
    found: list[list[int]] = new[: len(prompts), longest:].tolist()
    return found


@contextmanager
def greedily(model: Any, most_tokens: int, **tokens: Any) -> Iterator[None]:
    """Replace the model's generation config by greedy decoding in the body.

    `tokens` are the ids of its special tokens, by their names in a GenerationConfig. A config that is only given to
    `generate` takes whatever it leaves open from the model's own, such as a repetition penalty.
    """
    own = model.generation_config
    model.generation_config = GenerationConfig(max_new_tokens=most_tokens, do_sample=False, **tokens)
    try:
        yield
    finally:
        model.generation_config = own


def _until_end(ids: Sequence[int], ends: Sequence[int]) -> Written:
    place = next((place for place, token in enumerate(ids) if token in ends), None)
    return Written(tuple(ids[:place]), ended=place is not None)


class _Chances(LogitsProcessor):  # type: ignore[misc]
    """Adds noise of Gumbel's distribution to logits / temperature.

    The largest sum is then a draw from the softmax (Maddison, Tarlow and Minka 2014, section 3).
    """

    def __init__(self, seeds: Sequence[int], temperature: float) -> None:
        self.generators = [torch.Generator().manual_seed(seed) for seed in seeds]
        self.temperature = temperature

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        size = scores.shape[1]
        noise = torch.stack([_gumbel(one, size) for one in self.generators])
        return scores.double() / self.temperature + repeated(noise).to(scores.device)


def _gumbel(generator: torch.Generator, size: int) -> Tensor:
    """Return draws from the standard Gumbel distribution, float64 [size]."""
    uniform = torch.rand(size, generator=generator, dtype=torch.float64)
    return -torch.log(-torch.log(uniform.clamp_min(torch.finfo(torch.float64).tiny)))
