"""Content keys: equal keys give equal records, so that a done shard can be used again."""

from collections.abc import Mapping
from typing import Any

from plumbline.spec.digests import digest

DECISIVE = (
    "engine",
    "probe_version",
    "torch",
    "transformers",
    "tokenizers",
    "digest",
    "tokenizer_digest",
    "dtype",
    "device",
    "seed",
    "params",
)
"""What decides a shard's answers besides its words. Without the model's digest, one model would answer for another."""


def content_key(probe: str, inputs: Any, facts: Mapping[str, Any]) -> str:
    """SHA-256 over the probe, the shard's inputs and labels, and the decisive facts. KeyError for a lacking one."""
    return digest({"probe": probe, "inputs": inputs, **{name: facts[name] for name in DECISIVE}})


def decisive(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the facts that decide answers; None for one that a run of an earlier release does not have."""
    return {name: facts.get(name) for name in DECISIVE}
