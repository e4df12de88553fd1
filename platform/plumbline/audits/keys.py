"""Content keys of shards. Equal keys give equal records, so that the records of a done shard can be reused."""

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
"""The facts, besides the words, that determine a shard's answers. Without the digest, models would share answers."""


ONCE = "once"
"""The fact, a text of one run, of models behind servers: no other run may use their answers."""


def content_key(probe: str, inputs: Any, facts: Mapping[str, Any]) -> str:
    """Return the SHA-256 of the probe, the shard's inputs and labels, and the decisive facts.

    KeyError for a missing fact.
    """
    once = {ONCE: facts[ONCE]} if ONCE in facts else {}
    return digest({"probe": probe, "inputs": inputs, **{name: facts[name] for name in DECISIVE}, **once})


def decisive(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts that determine answers. None for facts that runs of earlier releases lack."""
    return {name: facts.get(name) for name in (*DECISIVE, ONCE)}
