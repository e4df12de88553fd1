"""Canonical JSON and its SHA-256, which name content."""

import hashlib
import json
from typing import Any


def canonical_json(content: Any) -> str:
    """Return the one canonical text of the content: sorted keys, no spaces, non-ASCII unescaped.

    NaN raises ValueError.
    """
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def digest(content: Any) -> str:
    """Return the SHA-256 of the canonical JSON as 64 hexadecimal digits."""
    return digest_of_bytes(canonical_json(content).encode())


def digest_of_bytes(content: bytes) -> str:
    """Return the SHA-256 of the bytes as 64 hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()
