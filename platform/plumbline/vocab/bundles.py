"""Several files that were sent together, stored as one."""

import base64
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sent:
    """A file that somebody sent, and that is stored on no disk."""

    name: str
    data: bytes


Bundle = Mapping[str, Sequence[Sent]]
"""Files by the form field that they were sent in."""


def packed(bundle: Bundle) -> bytes:
    """Return all files as one compressed text."""
    told = {part: [(one.name, base64.b64encode(one.data).decode()) for one in files] for part, files in bundle.items()}
    return zlib.compress(json.dumps(told).encode(), level=1)


def unpacked(data: bytes) -> dict[str, list[Sent]]:
    """Return the files that `packed` packed."""
    told = json.loads(zlib.decompress(data))
    return {part: [Sent(name, base64.b64decode(text)) for name, text in files] for part, files in told.items()}
