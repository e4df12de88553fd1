"""Text-to-text models: the likeliest text after a text, by greedy decoding."""

from collections.abc import Sequence
from typing import Any

import torch

from workers.engine.batching import in_batches, longest_first
from workers.engine.checkpoints.checkpoint import Checkpoint
from workers.engine.generation import greedily
from workers.engine.masked import Progress
from workers.engine.sentences import length_fault

CPU_TOKENS, GPU_TOKENS = 2048, 65536
MOST_NEW_TOKENS = 32
"""The default limit of an answer's tokens."""
SPECIAL_TOKENS = (
    "bos_token_id", "eos_token_id", "decoder_start_token_id", "forced_bos_token_id", "forced_eos_token_id",
)  # fmt: skip
"""What a model's own generation config says of its texts' begin and end. Nothing else of it is obeyed."""


class TextToTextModel:
    """An encoder-decoder model in evaluation mode (T5, BART and similar)."""

    def __init__(self, checkpoint: Checkpoint, model: Any) -> None:
        self.checkpoint = checkpoint
        self.tokenizer = checkpoint.tokenizer
        self.model = model
        self.device: torch.device = model.device
        self.token_budget = CPU_TOKENS if self.device.type == "cpu" else GPU_TOKENS

    def faults(self, texts: Sequence[str]) -> list[str]:
        """Return why each text cannot be read; empty if it can."""
        return [length_fault(self.tokenizer, ids) for ids in self._encoded(texts)]

    @torch.inference_mode()
    def outputs(
        self, texts: Sequence[str], most_tokens: int = MOST_NEW_TOKENS, progress: Progress | None = None
    ) -> list[str]:
        """Return the text that the model writes after each text: greedy, without special tokens, at most `most_tokens`.

        Each distinct text is run once. A text longer than the model's limit gives an empty output. `progress` is called
        with the number of texts answered since its last call. Raises ModelError when a single text does not fit into
        memory.
        """
        distinct = list(dict.fromkeys(texts))
        encoded = self._encoded(distinct)
        found = dict.fromkeys(distinct, "")
        order = [index for index, ids in enumerate(encoded) if not length_fault(self.tokenizer, ids)]
        times = {text: texts.count(text) for text in distinct} if len(distinct) < len(texts) else {}

        def run(batch: list[int]) -> list[str]:
            return self._written([encoded[index] for index in batch], most_tokens)

        def keep(batch: list[int], written: list[str]) -> None:
            found.update(zip((distinct[index] for index in batch), written, strict=True))
            if progress:
                progress(sum(times.get(distinct[index], 1) for index in batch))

        longest = [order[index] for index in longest_first([len(encoded[index]) for index in order])]
        cost = lambda first, _: len(encoded[first]) + most_tokens  # noqa: E731
        self.token_budget = in_batches(longest, cost, self.token_budget, run, keep)
        return [found[text] for text in texts]

    def _encoded(self, texts: Sequence[str]) -> list[list[int]]:
        if not texts:
            return []
        ids: list[list[int]] = self.tokenizer(list(texts), truncation=False, padding=False, verbose=False)["input_ids"]
        return ids

    def _written(self, encoded: Sequence[list[int]], most_tokens: int) -> list[str]:
        longest = max(map(len, encoded))
        lengths = torch.tensor([len(ids) for ids in encoded])
        padding = self.tokenizer.pad_token_id or 0
        ids = torch.tensor([[*one, *[padding] * (longest - len(one))] for one in encoded])
        own = self.model.generation_config
        special = {name: getattr(own, name) for name in SPECIAL_TOKENS}
        with greedily(self.model, most_tokens, **special | {"pad_token_id": padding}):
            written = self.model.generate(
                input_ids=ids.to(self.device),
                attention_mask=(torch.arange(longest) < lengths[:, None]).long().to(self.device),
            )
        found: list[str] = self.tokenizer.batch_decode(written, skip_special_tokens=True)
        return [text.strip() for text in found]
