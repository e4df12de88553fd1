"""Canonical JSON and its SHA-256: the one way in which content is named."""

import hashlib
import json
from typing import Any


def canonical_json(content: Any) -> str:
    """The same content gives the same text: keys sorted, no spaces, no escapes of non-ASCII, no NaN."""
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def digest(content: Any) -> str:
    """SHA-256 of the canonical JSON, 64 hexadecimal digits."""
    return hashlib.sha256(canonical_json(content).encode()).hexdigest()
