"""The last linear layer of a causal model: its input, its output, and the factor from its output to the logits."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor

from plumbline.spec.errors import ModelError

_FACTORS = ("logit_scale", "logits_scaling", "lm_head_multiplier", "output_multiplier")
"""Names in configs of factors that families multiply or divide their logits by (Cohere, Granite, Falcon-H1, ...)."""
_CAP = "final_logit_softcapping"


class OutputLayer:
    """The last layer, observed while the model runs, because families do work of their own between body and layer."""

    def __init__(self, model: Any, reference: str) -> None:
        self.model, self.reference = model, reference
        self.layer = model.get_output_embeddings()
        if not isinstance(self.layer, torch.nn.Linear):
            raise self._unknown()

    @contextmanager
    def watched(self) -> Iterator[list[tuple[Tensor, Tensor]]]:
        """Yield a list of the layer's inputs [..., E] and outputs [..., V], one entry for each run of the model."""
        seen: list[tuple[Tensor, Tensor]] = []
        hook = self.layer.register_forward_hook(lambda _, given, found: seen.append((given[0], found)))
        try:
            yield seen
        finally:
            hook.remove()

    @torch.inference_mode()
    def scale(self) -> float:
        """Return the factor between this layer's output and the logits, before any soft cap.

        The config names candidates, and a run of the model decides between them. Raises ModelError if the logits are
        not this layer's output times a candidate.
        """
        ids = torch.arange(1, 17, device=self.model.device)[None] % self.layer.out_features
        with self.watched() as seen:
            logits = self.model(input_ids=ids, use_cache=False).logits.double()
        if len(seen) != 1 or seen[0][1].shape != logits.shape:
            raise self._unknown()
        raw = seen[0][1].double()
        tolerance = (1e-4 if self.model.dtype == torch.float32 else 5e-2) * logits.std().item()
        for factor in self._candidates():
            if (self._capped(factor * raw) - logits).abs().max() <= tolerance:
                return factor
        raise self._unknown()

    def _candidates(self) -> list[float]:
        config = self.model.config.get_text_config()
        named = [getattr(config, name, None) for name in _FACTORS]
        factors = [float(value) for value in named if isinstance(value, int | float) and value > 0]
        return [1.0, *factors, *(1 / factor for factor in factors)]

    def _capped(self, logits: Tensor) -> Tensor:
        cap = getattr(self.model.config.get_text_config(), _CAP, None)
        return cap * torch.tanh(logits / cap) if cap else logits

    def _unknown(self) -> ModelError:
        return ModelError(
            f"{self.reference} is of the family {self.model.config.model_type!r}, whose logits are not those of one"
            " linear layer times a known factor: choose another model, or a probe that reads probabilities only"
        )
