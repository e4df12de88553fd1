"""Cursors: opaque texts that name the last row of a page. The next page begins after it, by an index."""

import base64
import binascii
import json

from ninja.errors import HttpError

from plumbline.results.ids import RUNS, SHARD_BITS

MOST = RUNS << (2 * SHARD_BITS)
"""No key of a row is larger."""
BAD = "The cursor is not one that this address gave. Leave it out to begin with the first page."


def encode(collection: str, key: int) -> str:
    return base64.urlsafe_b64encode(json.dumps([collection, key]).encode()).decode().rstrip("=")


def decode(collection: str, cursor: str) -> int | None:
    """Return the key of the last row, or None without a cursor. Raises HttpError 400 for what `encode` did not make."""
    if not cursor:
        return None
    try:
        found = json.loads(base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True))
    except (binascii.Error, ValueError, RecursionError):
        raise HttpError(400, BAD) from None
    match found:
        case [str(name), int(key)] if name == collection and not isinstance(key, bool) and 0 <= key < MOST:
            return key
    raise HttpError(400, BAD)
