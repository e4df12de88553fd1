"""Multiple-choice models: the logit of a choice after a first text, which does not depend on other choices."""

import inspect
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from plumbline.spec.errors import ModelError
from workers.engine.attention import FEWEST_ROWS, repeated
from workers.engine.batching import in_batches, longest_first, pad_token
from workers.engine.checkpoints.checkpoint import Checkpoint
from workers.engine.sentences import UNKNOWN, length_fault

FloatArray = npt.NDArray[np.float64]
Progress = Callable[[int], None]
Pair = tuple[str, str]
"""The first text (context and question) and the choice."""

CPU_TOKENS, GPU_TOKENS = 2048, 65536


@dataclass(frozen=True, slots=True)
class EncodedPair:
    """A pair in the form of the model's fine-tuning; `fault` says why it cannot be scored, or is empty."""

    ids: tuple[int, ...]
    types: tuple[int, ...]
    """Which of the two texts each token belongs to, for models that use it."""
    fault: str = ""


def encode_pairs(tokenizer: Any, pairs: Sequence[Pair]) -> list[EncodedPair]:
    """Tokenize all pairs in one call, in the tokenizer's own form for two texts. Nothing is truncated."""
    if not pairs:
        return []
    batch = tokenizer(
        [first for first, _ in pairs],
        [choice for _, choice in pairs],
        truncation=False,
        padding=False,
        return_token_type_ids=True,
        return_special_tokens_mask=True,
        return_attention_mask=False,
        verbose=False,
    )
    special = frozenset(tokenizer.all_special_ids)
    return [
        EncodedPair(
            tuple(ids),
            tuple(batch["token_type_ids"][row]),
            _fault(tokenizer, pairs[row][1], ids, batch["special_tokens_mask"][row], batch.sequence_ids(row), special),
        )
        for row, ids in enumerate(batch["input_ids"])
    ]


def _fault(
    tokenizer: Any, choice: str, ids: list[int], added: list[int], of: list[int | None], special: frozenset[int]
) -> str:
    if not special.isdisjoint(ids):
        found = [(token, text) for token, own, text in zip(ids, added, of, strict=True) if not own and token in special]
        if any(token != tokenizer.unk_token_id for token, _ in found):
            return "the text contains a special token of the model"
        if any(text == 1 for _, text in found):
            return f"{choice!r} is {UNKNOWN}"
    return length_fault(tokenizer, ids) or ("" if 1 in of else f"{choice!r} leaves no token")


class MultipleChoiceModel:
    """A model in evaluation mode with a head that gives each choice one number."""

    def __init__(self, checkpoint: Checkpoint, model: Any) -> None:
        self.checkpoint = checkpoint
        self.tokenizer = checkpoint.tokenizer
        self.model = model
        self.device: torch.device = model.device
        self.token_budget = CPU_TOKENS if self.device.type == "cpu" else GPU_TOKENS
        self._told_types = (
            "token_type_ids" in self.tokenizer.model_input_names
            and "token_type_ids" in inspect.signature(model.forward).parameters
            # RoBERTa has one type for both texts, DeBERTa none.
            and getattr(model.config, "type_vocab_size", 2) > 1
        )

    def faults(self, pairs: Sequence[Pair]) -> list[str]:
        """Return why each pair cannot be scored; empty if it can."""
        return [one.fault for one in encode_pairs(self.tokenizer, pairs)]

    @torch.inference_mode()
    def logits(self, pairs: Sequence[Pair], progress: Progress | None = None) -> FloatArray:
        """Return the logit of each choice, float64 [n], in the order of the pairs; NaN for a pair with a fault.

        Each distinct pair is scored once, and its logit does not depend on the batch. `progress` is called with the
        number of pairs answered since its last call. Raises ModelError when a single pair does not fit into memory, and
        for logits that are not finite.
        """
        asked = _distinct(encode_pairs(self.tokenizer, pairs))
        inputs = [one for one in asked if not one.fault]
        answers = np.full(len(pairs), np.nan)
        if progress and (left := sum(len(numbers) for one, numbers in asked.items() if one.fault)):
            progress(left)

        def run(batch: list[int]) -> list[float]:
            return self._logits([inputs[index] for index in batch])

        def keep(batch: list[int], logits: list[float]) -> None:
            for index, logit in zip(batch, logits, strict=True):
                answers[asked[inputs[index]]] = logit
            if progress:
                progress(sum(len(asked[inputs[index]]) for index in batch))

        lengths = [len(one.ids) for one in inputs]
        cost = lambda first, _: lengths[first]  # noqa: E731
        self.token_budget = in_batches(longest_first(lengths), cost, self.token_budget, run, keep)
        return answers

    def fed(self, inputs: Sequence[EncodedPair], choices: int = 1) -> dict[str, Tensor]:
        """Return the model's inputs, each [questions, choices, longest], padded on the right."""
        longest = max(len(one.ids) for one in inputs)
        lengths = torch.tensor([len(one.ids) for one in inputs])
        fed = {
            "input_ids": _padded([one.ids for one in inputs], pad_token(self.model, self.tokenizer), longest),
            "attention_mask": (torch.arange(longest) < lengths[:, None]).long(),
        }
        if self._told_types:
            fed["token_type_ids"] = _padded([one.types for one in inputs], self.tokenizer.pad_token_type_id, longest)
        return {name: tensor.reshape(-1, choices, longest).to(self.device) for name, tensor in fed.items()}

    def _logits(self, inputs: list[EncodedPair]) -> list[float]:
        """Return the logits of the pairs, as questions with one choice each."""
        fewest = -(-FEWEST_ROWS // max(len(one.ids) for one in inputs))
        fed = {name: repeated(tensor, fewest) for name, tensor in self.fed(inputs).items()}
        logits = self.model(**fed).logits[: len(inputs), 0].double()
        if not bool(logits.isfinite().all()):
            raise ModelError(
                f"{self.checkpoint.reference} gives logits that are not finite: its weights are broken, or too large"
                " for the dtype; fetch it again, or use dtype float32."
            )
        found: list[float] = logits.tolist()
        return found


def _distinct(encoded: Sequence[EncodedPair]) -> dict[EncodedPair, list[int]]:
    """Return each distinct pair with its positions."""
    found: dict[EncodedPair, list[int]] = defaultdict(list)
    for number, one in enumerate(encoded):
        found[one].append(number)
    return found


def _padded(rows: Sequence[tuple[int, ...]], filler: int, longest: int) -> Tensor:
    """Return the rows as a tensor [rows, longest], padded on the right."""
    return torch.tensor([[*row, *[filler] * (longest - len(row))] for row in rows])
