"""Text classifiers with two labels: the logits of a text, which do not depend on other texts."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from plumbline.spec.errors import ModelError
from workers.engine.attention import FEWEST_ROWS, repeated
from workers.engine.batching import in_batches, longest_first, pad_token
from workers.engine.checkpoints.checkpoint import Checkpoint
from workers.engine.multiple_choice import CPU_TOKENS, GPU_TOKENS
from workers.engine.sentences import UNLIMITED

LABELS = 2
"""0 is negative, 1 positive."""
Ids = tuple[int, ...]


class ClassifierModel:
    """A model in evaluation mode whose head gives each text one logit for each of two labels."""

    def __init__(self, checkpoint: Checkpoint, model: Any) -> None:
        if (labels := model.config.num_labels) != LABELS:
            raise ModelError(f"{checkpoint.reference} has {labels} labels: choose a classifier with two")
        self.checkpoint = checkpoint
        self.tokenizer = checkpoint.tokenizer
        self.model = model
        self.device: torch.device = model.device
        self.token_budget = CPU_TOKENS if self.device.type == "cpu" else GPU_TOKENS

    def encoded(self, texts: Sequence[str]) -> list[Ids]:
        """Return the texts as tokens. The end of a text that is longer than the model's limit is cut."""
        limit = self.tokenizer.model_max_length
        length = {"truncation": True, "max_length": limit} if limit < UNLIMITED else {"truncation": False}
        batch = self.tokenizer(list(texts), return_attention_mask=False, verbose=False, **length)
        return [tuple(ids) for ids in batch["input_ids"]]

    def fed(self, rows: Sequence[Ids]) -> dict[str, Tensor]:
        """Return the model's inputs, each [texts, longest], padded on the right."""
        lengths = torch.tensor([len(ids) for ids in rows])
        longest = int(lengths.max())
        padding = pad_token(self.model, self.tokenizer)
        padded = torch.tensor([[*ids, *[padding] * (longest - len(ids))] for ids in rows])
        fed = {"input_ids": padded, "attention_mask": (torch.arange(longest) < lengths[:, None]).long()}
        return {name: tensor.to(self.device) for name, tensor in fed.items()}

    @torch.inference_mode()
    def logits(self, texts: Sequence[str]) -> npt.NDArray[np.float64]:
        """Return the logits, float64 [texts, 2], in the order of the texts.

        Raises ModelError when a text does not fit into memory, and for logits that are not finite.
        """
        rows = self.encoded(texts)
        answers = np.full((len(rows), LABELS), np.nan)

        def keep(batch: list[int], logits: Tensor) -> None:
            answers[batch] = logits.cpu().numpy()

        lengths = [len(ids) for ids in rows]
        run = lambda batch: self._logits([rows[index] for index in batch])  # noqa: E731
        self.token_budget = in_batches(
            longest_first(lengths), lambda first, _: lengths[first], self.token_budget, run, keep
        )
        return answers

    def positive(self, texts: Sequence[str]) -> npt.NDArray[np.bool_]:
        """Return whether each text's likelier label is the positive one, [texts]. A draw is negative."""
        logits = self.logits(texts)
        return np.asarray(logits[:, 1] > logits[:, 0])

    def _logits(self, rows: list[Ids]) -> Tensor:
        fewest = -(-FEWEST_ROWS // max(map(len, rows)))
        fed = {name: repeated(tensor, fewest) for name, tensor in self.fed(rows).items()}
        logits: Tensor = self.model(**fed).logits[: len(rows)].double()
        if not bool(logits.isfinite().all()):
            raise ModelError(
                f"{self.checkpoint.reference} gives logits that are not finite: its weights are broken; train it again"
                " with a smaller --rate"
            )
        return logits
