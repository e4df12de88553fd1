"""Raised dropout during a continued pre-training (Webster et al. 2020), whatever a family calls the settings."""

from typing import Any

from plumbline.spec.errors import ModelError

HIDDEN = (
    "hidden_dropout_prob",
    "hidden_dropout",
    "resid_pdrop",
    "embd_pdrop",
    "dropout",
    "embedding_dropout",
    "mlp_dropout",
)
ATTENTION = ("attention_probs_dropout_prob", "attention_dropout", "attn_pdrop")
USUAL = (0.20, 0.15)
"""Of hidden states and of attention weights, for models like BERT."""
BY_FAMILY = {"albert": (0.05, 0.05)}
"""ALBERT shares its layers and was pre-trained without dropout."""


def dropout_settings(
    config: Any, reference: str, hidden: float | None = None, attention: float | None = None
) -> dict[str, float]:
    """Return the config's dropout settings and the values that they get; None is the value by family.

    Raises ModelError for a model whose config has none.
    """
    usual = BY_FAMILY.get(config.model_type, USUAL)
    values = dict.fromkeys(HIDDEN, usual[0] if hidden is None else hidden)
    values |= dict.fromkeys(ATTENTION, usual[1] if attention is None else attention)
    found = {name: value for name, value in values.items() if hasattr(config, name)}
    if not found:
        raise ModelError(f"{reference} is of a family without dropout ({config.model_type}): choose --method cda")
    return found
